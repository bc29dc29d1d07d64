import { invalidArgument, PublicError } from '../../domain/errors.ts'
import { type CursorKey, type Cursors, cursorsOf, type SortKey } from './cursor.ts'
import type { Database } from '../database.ts'
import { beyond, countSql, enclosed, selectSql, TAG, unionOf } from './list-sql.ts'
import { and, type Where } from '../sql/where.ts'
import type { Limits, ListQuery } from './list-query.ts'

/** Page arguments of Relay. */
export interface PageRequest {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** Picks the page arguments from a larger object. */
export const pageRequestOf = ({ first, after, last, before }: PageRequest): PageRequest => ({
  first,
  after,
  last,
  before,
})

/** Database that pages are read from. */
export type ReadDatabase = Pick<Database, 'rows' | 'dialect'>

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  cursorOf(row: Row): string
  /** Counts the rows of the whole list. The pages of one `readPages` call share the extra statement. */
  count(): Promise<number>
}

/** Returns the size of a page. Throws if it is not from 0 to the maximum. */
function pageSize(name: string, size: number, maximum: number): number {
  if (Number.isInteger(size) && size >= 0 && size <= maximum) return size
  throw invalidArgument(name, `\`${name}\` must be a whole number from 0 to ${maximum}.`)
}

export const listLimits: Limits = { preset: 100, maximum: 1000 }
export const seriesLimits: Limits = { preset: 500, maximum: 10_000 }

const PARENTS_PER_STATEMENT = 250
/** SQLite accepts at most 32,766 parameters. */
const PARAMETERS_PER_STATEMENT = 32_000

/** Reads one page of a list with one statement. Its cost depends on the page size, not on the table. */
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
 * Reads one page of each parent's list with the same page arguments, in as few statements as possible. A parent is a
 * condition, such as the id of a vehicle. The cost depends on parents × page size. A parent with an invalid cursor gets
 * an error; the other parents get their pages.
 */
export async function readPages<Row>(
  db: ReadDatabase,
  list: ListQuery<Row>,
  request: PageRequest,
  cursorKey: CursorKey,
  parents: readonly Where[],
): Promise<(Page<Row> | PublicError)[]> {
  const slices = parents.map((parent) => orPublicError(() => sliceOf(list, request, cursorKey, parent)))
  const valid = slices.filter(isSlice)
  const rows = valid.map((): Record<string, unknown>[] => [])
  for (const row of await selectAll(
    db,
    valid.map((slice, index) => selectSql(db.dialect, list, slice, index)),
  )) {
    rows[Number(row[TAG])]?.push(row)
  }
  const counts = once(async () => {
    const counted = await selectAll(
      db,
      valid.map(({ whole }, index) => countSql(list, whole, index)),
    )
    return new Map(counted.map((row) => [Number(row[TAG]), Number(row['n'])]))
  })
  let next = 0
  return slices.map((slice) => {
    if (!isSlice(slice)) return slice
    const index = next++
    return pageFrom(list, slice, rows[index] ?? [], async () => (await counts()).get(index) ?? 0)
  })
}

const isSlice = (slice: PageSlice | PublicError): slice is PageSlice => !(slice instanceof PublicError)

/** Runs many selects in as few statements as the databases allow. */
async function selectAll(db: ReadDatabase, selects: readonly Where[]): Promise<Record<string, unknown>[]> {
  const maxParameters = Math.max(1, ...selects.map(({ parameters }) => parameters.length))
  const size = Math.max(
    1,
    Math.min(PARENTS_PER_STATEMENT, Math.floor(PARAMETERS_PER_STATEMENT / maxParameters)),
  )
  const rows: Record<string, unknown>[] = []
  for (let start = 0; start < selects.length; start += size) {
    const { sql, parameters } = unionOf(selects.slice(start, start + size))
    for (const row of await db.rows<Record<string, unknown>>(sql, parameters)) rows.push(row)
  }
  return rows
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  return () => (known ??= work())
}

function orPublicError<T>(work: () => T): T | PublicError {
  try {
    return work()
  } catch (error) {
    if (error instanceof PublicError) return error
    throw error
  }
}

/** Rows of one list that a page request selects. */
interface PageSlice {
  /** Number of rows of the page. */
  readonly size: number
  /** Number of rows to read: one more shows whether there is a further page. */
  readonly limit: number
  readonly backward: boolean
  /** Whether the request has `after` and `before` cursors. */
  readonly bounded: { readonly from: boolean; readonly to: boolean }
  readonly where: Where
  /** Condition of the whole list, without the cursors. */
  readonly whole: Where
  readonly cursors: Cursors
}

function sliceOf<Row>(
  list: ListQuery<Row>,
  request: PageRequest,
  cursorKey: CursorKey,
  parent: Where | null,
): PageSlice {
  const size = requestedSize(request, list.limits ?? listLimits)
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

/** Scope of a cursor: the list without the condition `shown`, which may change between pages. */
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

/** Returns the size of the requested page. Throws if it is not from 0 to the maximum, or given twice. */
export function requestedSize({ first, last }: PageRequest, { preset, maximum }: Limits): number {
  if (first != null && last != null) throw invalidArgument('last', 'Give `first` or `last`, not both.')
  return pageSize(last == null ? 'first' : 'last', last ?? first ?? preset, maximum)
}

function keyIn(cursor: string | null | undefined, name: string, cursors: Cursors): SortKey | null {
  if (cursor == null) return null
  const key = cursors.open(cursor)
  if (!key) throw badCursorError(name)
  return key
}

function pageFrom<Row>(
  list: ListQuery<Row>,
  { size, backward, bounded, cursors }: PageSlice,
  raw: readonly Record<string, unknown>[],
  count: () => Promise<number>,
): Page<Row> {
  const hasMore = raw.length > size
  const rows = (hasMore ? raw.slice(0, size) : raw).map((row) => list.table.toRow(row))
  if (backward) rows.reverse()
  return {
    rows,
    hasNextPage: backward ? bounded.to : hasMore,
    hasPreviousPage: backward ? hasMore : bounded.from,
    cursorOf: (row) => cursors.seal(list.order.map((column) => row[column])),
    count,
  }
}

const badCursorError = (name: string) =>
  invalidArgument(
    name,
    'The cursor does not come from this list with the same filters. Repeat the filters, or start without a cursor.',
  )
