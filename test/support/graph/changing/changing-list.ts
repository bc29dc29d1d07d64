import { derivedId, type Kind } from '../../../../src/domain/ids.ts'
import { type Table, tableOf } from '../../../../src/storage/sql/table.ts'
import { MINUTE, NOON, type Owner } from '../../factories.ts'

/** Records that other records belong to. They do not change. */
export interface Parents {
  readonly connection: string
  readonly vehicle: string
  readonly driver: string
  readonly trip: string
}

/** Values by which the rows of a list differ: a unique number, and a time that many rows share. */
export interface Point {
  readonly number: number
  readonly time: number
  readonly modifiedAt: number
}

type Row = Readonly<Record<string, unknown>>

export interface ChurnedList {
  readonly name: string
  readonly field: string
  readonly of?: keyof Parents
  /** Selection that identifies a record, and the same value read from its row. */
  readonly record: string
  node(row: Row): unknown
  readonly table: Table<Row>
  row(owner: Owner, point: Point, parents: Parents): Row
  /** Optional arguments of the list. */
  readonly args: readonly string[]
  /** Required arguments of the list. */
  readonly always?: string
}

export const at = (minutes: number) => JSON.stringify(new Date(NOON + minutes * MINUTE).toISOString())
export const modified = [
  `modifiedAfter: ${at(-30)}`,
  `modifiedBefore: ${at(7)}`,
  'modifiedAfter: "2000-01-01T00:00:00Z"',
]
export const started = [`startedAfter: ${at(2)}`, `startedBefore: ${at(8)}`]
export const table = (entity: abstract new () => object) => tableOf(entity) as unknown as Table<Row>
export const byId = { record: 'id', node: ({ id }: Row) => ({ id }) }
export const asRow = (row: object) => row as Row

/** Returns an id whose order does not follow time. */
export const idOf = (kind: Kind, { connectionId }: Owner, { number }: Point) =>
  derivedId(kind, connectionId, `${number}`)
export const timeOf = ({ time }: Point) => NOON + time * MINUTE
export const dateOf = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)

export const sourced = (kind: Kind, owner: Owner, point: Point) => ({
  id: idOf(kind, owner, point),
  ...owner,
  sourceId: `${point.number}`,
  provider: 'sandbox',
  addedAt: NOON,
  modifiedAt: point.modifiedAt,
  deletedAt: null,
  contentHash: 'content',
  rawHash: 'raw',
})
