import { PublicError } from '../../domain/errors.ts'
import { type CursorKey, type Cursors, cursorsOf, type Key } from './cursor.ts'
import type { Database } from '../database.ts'
import { beyond, countSql, enclosed, selectSql, TAG, unionOf } from './list-sql.ts'
import { and, type Where } from '../sql/where.ts'
import type { Limits, ListQuery } from './list-query.ts'

/** Which part of a list is asked for, as Relay has it. */
export interface PageRequest {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** The request alone, of arguments that ask for more. */
export const requestOf = ({ first, after, last, before }: PageRequest): PageRequest => ({
  first,
  after,
  last,
  before,
})

/** What pages are read from. */
export type ReadDatabase = Pick<Database, 'rows' | 'dialect'>

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  cursorOf(row: Row): string
  /** How many rows the whole list has: a statement of its own, once, for all the parents of one read. */
  count(): Promise<number>
}

export const listLimits: Limits = { preset: 100, maximum: 1000 }
export const seriesLimits: Limits = { preset: 500, maximum: 10_000 }

const PARENTS_PER_STATEMENT = 250
/** SQLite takes 32,766. */
const PARAMETERS_PER_STATEMENT = 32_000

/** One page of a list: one statement, whose cost grows with the page and not with the table. */
export async function readPage<Row>(
  db: ReadDatabase,
  list: ListQuery<Row>,
  request: PageRequest,
  cursorKey: CursorKey,
): Promise<Page<Row>> {
  const slice = sliceOf(list, request, cursorKey, null)
  const { sql, parameters } = selectSql(db.dialect, list, slice)
  const count = once(async () => {
    const counted = countSql(list, slice.whole)
    const [row] = await db.rows<{ n: number }>(counted.sql, counted.parameters)
    return Number(row?.n)
  })
  return pageFrom(list, slice, await db.rows(sql, parameters), count)
}

/**
 * The same page of the list of each parent, a parent being any condition: one statement, whose cost grows with
 * parents × page. A parent whose cursor is refused gets its error, the others their pages.
 */
export async function readPages<Row>(
  db: ReadDatabase,
  list: ListQuery<Row>,
  request: PageRequest,
  cursorKey: CursorKey,
  parents: readonly Where[],
): Promise<(Page<Row> | PublicError)[]> {
  const slices = parents.map((parent) => orRefusal(() => sliceOf(list, request, cursorKey, parent)))
  const read = slices.filter(isSlice)
  const rows = read.map((): Record<string, unknown>[] => [])
  for (const row of await united(
    db,
    read.map((slice, at) => selectSql(db.dialect, list, slice, at)),
  )) {
    rows[Number(row[TAG])]?.push(row)
  }
  const counts = once(async () => {
    const counted = await united(
      db,
      read.map(({ whole }, at) => countSql(list, whole, at)),
    )
    return new Map(counted.map((row) => [Number(row[TAG]), Number(row['n'])]))
  })
  let at = 0
  return slices.map((slice) => {
    if (!isSlice(slice)) return slice
    const place = at++
    return pageFrom(list, slice, rows[place] ?? [], async () => (await counts()).get(place) ?? 0)
  })
}

const isSlice = (slice: PageSlice | PublicError): slice is PageSlice => !(slice instanceof PublicError)

/** The rows of many selects in as few statements as the databases take. */
async function united(db: ReadDatabase, selects: readonly Where[]): Promise<Record<string, unknown>[]> {
  const most = Math.max(1, ...selects.map(({ parameters }) => parameters.length))
  const size = Math.max(1, Math.min(PARENTS_PER_STATEMENT, Math.floor(PARAMETERS_PER_STATEMENT / most)))
  const rows: Record<string, unknown>[] = []
  for (let at = 0; at < selects.length; at += size) {
    const { sql, parameters } = unionOf(selects.slice(at, at + size))
    for (const row of await db.rows<Record<string, unknown>>(sql, parameters)) rows.push(row)
  }
  return rows
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  return () => (known ??= work())
}

function orRefusal<T>(work: () => T): T | PublicError {
  try {
    return work()
  } catch (error) {
    if (error instanceof PublicError) return error
    throw error
  }
}

/** What a request means for one list: which rows it reads, and what it can tell of the others. */
interface PageSlice {
  readonly size: number
  readonly limit: number
  readonly backward: boolean
  readonly bounded: { readonly from: boolean; readonly to: boolean }
  readonly where: Where
  /** The whole list, without the cursors. */
  readonly whole: Where
  readonly cursors: Cursors
}

function sliceOf<Row>(
  list: ListQuery<Row>,
  request: PageRequest,
  cursorKey: CursorKey,
  parent: Where | null,
): PageSlice {
  const size = sizeOf(request, list.limits ?? listLimits)
  const cursors = cursorsOf(() => scopeOf(list, parent), list.order.length, cursorKey)
  const keyOf = (name: 'after' | 'before') => keyIn(request[name], name, cursors)
  const [later, earlier] = list.descending ? (['<', '>'] as const) : (['>', '<'] as const)
  const [after, before] = [keyOf('after'), keyOf('before')]
  const whole = parent
    ? and(enclosed(parent), list.where, list.shown ?? null)
    : and(list.where, list.shown ?? null)
  return {
    size,
    limit: size + 1,
    backward: request.last != null,
    bounded: { from: after !== null, to: before !== null },
    where: and(whole, after && beyond(list, later, after), before && beyond(list, earlier, before)),
    whole,
    cursors,
  }
}

/** What a cursor is bound to: which list it is of, whatever is shown of it. */
const scopeOf = <Row>(list: ListQuery<Row>, parent: Where | null): string =>
  JSON.stringify([
    list.table.name,
    list.where,
    list.order,
    list.descending,
    list.groupBy,
    list.having,
    list.parts,
    parent,
  ])

function sizeOf({ first, last }: PageRequest, { preset, maximum }: Limits): number {
  if (first != null && last != null) throw refused('last', 'Ask for `first` or `last`, not for both.')
  const size = last ?? first ?? preset
  if (!Number.isInteger(size) || size < 1) {
    const name = last == null ? 'first' : 'last'
    throw refused(name, `\`${name}\` must be a whole number from 1 up.`)
  }
  return Math.min(size, maximum)
}

function keyIn(cursor: string | null | undefined, name: string, cursors: Cursors): Key | null {
  if (cursor == null) return null
  const key = cursors.open(cursor)
  if (!key) throw badCursor(name)
  return key
}

function pageFrom<Row>(
  list: ListQuery<Row>,
  { size, backward, bounded, cursors }: PageSlice,
  raw: readonly Record<string, unknown>[],
  count: () => Promise<number>,
): Page<Row> {
  const more = raw.length > size
  const rows = (more ? raw.slice(0, size) : raw).map((row) => list.table.toRow(row))
  if (backward) rows.reverse()
  return {
    rows,
    hasNextPage: backward ? bounded.to : more,
    hasPreviousPage: backward ? more : bounded.from,
    cursorOf: (row) => cursors.seal(list.order.map((column) => row[column])),
    count,
  }
}

const badCursor = (name: string) =>
  refused(
    name,
    'The cursor is not one that this list gave out with the same filters. Start again without it.',
  )

const refused = (name: string, message: string) =>
  new PublicError('bad_request', message, { detail: [{ message, path: name }] })
