import { createHmac, timingSafeEqual } from 'node:crypto'
import { PublicError } from '../errors.ts'
import type { Rows } from './database.ts'
import { groupedInOrder } from './in-order.ts'
import { only, type Table } from './table.ts'
import { and, type Where } from './where.ts'

/** Which part of a list is asked for, as Relay has it. */
export interface PageRequest {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** A list: its rows by columns of which the last makes the order total, ascending unless it says otherwise. */
export interface List<Row> {
  readonly table: Table<Row>
  readonly where: Where
  readonly order: readonly (keyof Row & string)[]
  readonly descending?: boolean
  readonly limits?: Limits
}

export interface Limits {
  readonly preset: number
  readonly maximum: number
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  cursorOf(row: Row): string
}

export const listLimits: Limits = { preset: 100, maximum: 1000 }
export const seriesLimits: Limits = { preset: 500, maximum: 10_000 }

const PARENTS_PER_STATEMENT = 250
const MAC_BYTES = 9

/** One page of a list: one statement, whose cost grows with the page and not with the table. */
export async function readPage<Row>(
  db: Rows,
  list: List<Row>,
  request: PageRequest,
  cursorKey: Buffer,
): Promise<Page<Row>> {
  const cut = cutOf(list, request, cursorKey)
  const { sql, parameters } = select(list, cut, null)
  return pageFrom(list, cut, cursorKey, await db.rows(sql, parameters))
}

/** The same page of the list of each parent: one statement, whose cost grows with parents × page. */
export async function readPages<Row>(
  db: Rows,
  list: List<Row>,
  request: PageRequest,
  cursorKey: Buffer,
  parentColumn: keyof Row & string,
  parents: readonly string[],
): Promise<Page<Row>[]> {
  const cut = cutOf(list, request, cursorKey)
  const { selectedColumns } = list.table
  const grouped = selectedColumns.includes(parentColumn)
    ? list
    : { ...list, table: only(list.table, [...selectedColumns, parentColumn]) }
  const rows: Row[] = []
  for (let at = 0; at < parents.length; at += PARENTS_PER_STATEMENT) {
    const selects = parents
      .slice(at, at + PARENTS_PER_STATEMENT)
      .map((parent) => select(grouped, cut, { sql: `\`${parentColumn}\` = ?`, parameters: [parent] }))
    const sql = selects.map((part) => `SELECT * FROM (${part.sql}) AS part`).join(' UNION ALL ')
    rows.push(
      ...(await db.rows<Row>(
        sql,
        selects.flatMap(({ parameters }) => parameters),
      )),
    )
  }
  return groupedInOrder(parents, rows, (row) => String(row[parentColumn])).map((mine) =>
    pageFrom(list, cut, cursorKey, mine as unknown as Record<string, unknown>[]),
  )
}

interface Cut {
  readonly size: number
  readonly backward: boolean
  readonly bounded: { readonly from: boolean; readonly to: boolean }
  readonly where: Where
  readonly scope: string
}

function cutOf<Row>(list: List<Row>, request: PageRequest, cursorKey: Buffer): Cut {
  const { first, after, last, before } = request
  if (first != null && last != null) throw refused('last', 'Ask for `first` or `last`, not for both.')
  const scope = JSON.stringify([list.table.name, list.where, list.order])
  const [later, earlier] = list.descending ? (['<', '>'] as const) : (['>', '<'] as const)
  const from = after == null ? null : keyset(list, later, openCursor(after, scope, cursorKey, list, 'after'))
  const to =
    before == null ? null : keyset(list, earlier, openCursor(before, scope, cursorKey, list, 'before'))
  const backward = last != null
  const { preset, maximum } = list.limits ?? listLimits
  const size = sizeOf(backward ? last : first, backward ? 'last' : 'first') ?? preset
  return {
    size: Math.min(size, maximum),
    backward,
    bounded: { from: from !== null, to: to !== null },
    where: and(list.where, from, to),
    scope,
  }
}

function sizeOf(size: number | null | undefined, name: string): number | null {
  if (size == null) return null
  if (!Number.isInteger(size) || size < 1)
    throw refused(name, `\`${name}\` must be a whole number from 1 up.`)
  return size
}

function select<Row>({ table, order, descending = false }: List<Row>, cut: Cut, parent: Where | null): Where {
  const where = parent ? and(parent, cut.where) : cut.where
  const direction = cut.backward !== descending ? ' DESC' : ''
  const by = order.map((column) => `\`${column}\`${direction}`).join(', ')
  return {
    sql: `SELECT ${table.selected} FROM \`${table.name}\` WHERE ${where.sql} ORDER BY ${by} LIMIT ${cut.size + 1}`,
    parameters: where.parameters,
  }
}

/** Rows strictly beyond a key, in a form that MySQL and SQLite answer from an index. */
function keyset<Row>({ order }: List<Row>, sign: '<' | '>', key: readonly unknown[]): Where {
  if (order.length === 1) return { sql: `\`${order[0]}\` ${sign} ?`, parameters: [key[0]] }
  const [head, tail] = order
  return {
    sql: `\`${head}\` ${sign}= ? AND (\`${head}\` ${sign} ? OR \`${tail}\` ${sign} ?)`,
    parameters: [key[0], key[0], key[1]],
  }
}

function pageFrom<Row>(
  list: List<Row>,
  cut: Cut,
  cursorKey: Buffer,
  raw: readonly Record<string, unknown>[],
): Page<Row> {
  const more = raw.length > cut.size
  const rows = (more ? raw.slice(0, cut.size) : raw).map((row) => list.table.toRow(row))
  if (cut.backward) rows.reverse()
  return {
    rows,
    hasNextPage: cut.backward ? cut.bounded.to : more,
    hasPreviousPage: cut.backward ? more : cut.bounded.from,
    cursorOf: (row) =>
      sealCursor(
        list.order.map((column) => row[column]),
        cut.scope,
        cursorKey,
      ),
  }
}

/** A cursor is the key of its row with a code that only this service can make, for this list and caller alone. */
function sealCursor(key: readonly unknown[], scope: string, cursorKey: Buffer): string {
  const body = Buffer.from(JSON.stringify(key))
  return Buffer.concat([macOf(body, scope, cursorKey), body]).toString('base64url')
}

function openCursor<Row>(
  cursor: string,
  scope: string,
  cursorKey: Buffer,
  { order }: List<Row>,
  name: string,
): readonly unknown[] {
  const bytes = Buffer.from(cursor, 'base64url')
  const body = bytes.subarray(MAC_BYTES)
  const mac = bytes.subarray(0, MAC_BYTES)
  if (mac.length < MAC_BYTES || !timingSafeEqual(mac, macOf(body, scope, cursorKey))) throw badCursor(name)
  const key: unknown = JSON.parse(body.toString())
  if (!Array.isArray(key) || key.length !== order.length) throw badCursor(name)
  return key
}

const macOf = (body: Buffer, scope: string, cursorKey: Buffer): Buffer =>
  createHmac('sha256', cursorKey).update(scope).update(body).digest().subarray(0, MAC_BYTES)

const badCursor = (name: string) =>
  refused(
    name,
    'The cursor is not one that this list gave out with the same filters. Start again without it.',
  )

const refused = (name: string, message: string) =>
  new PublicError('bad_request', message, { detail: [{ message, path: name }] })
