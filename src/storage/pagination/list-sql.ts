import type { SortKey } from './cursor.ts'
import { byIndex, type Dialect } from '../sql/dialect.ts'
import type { ListQuery } from './list-query.ts'
import { quoted } from '../sql/table.ts'
import { and, oneOf, type Where } from '../sql/where.ts'

/** Rows of a list that a statement reads: their condition, direction and maximum number. */
export interface ListCut {
  readonly where: Where
  readonly backward: boolean
  readonly limit: number
}

/** Split of a list into parts. Each part has one of the values in the column. */
interface Parts {
  readonly column: string
  readonly values: readonly (string | number)[]
}

/** Column with the index of the list that a row belongs to, if a statement reads several. No table has this column. */
export const TAG = '$list'

/** Selects the rows of a cut of a list. With a tag, each row has the tag in the column `TAG`. */
export function selectSql<Row>(dialect: Dialect, list: ListQuery<Row>, cut: ListCut, tag?: number): Where {
  if (!list.parts) return rowsSql(dialect, list, cut.where, tailOf(list, cut), tag)
  const { column } = list.parts
  // The column is constant within a part, so the order omits it. MariaDB would otherwise use no index for the order.
  const tail = tailOf({ ...list, order: list.order.filter((name) => name !== column) }, cut)
  const parts = partsOf(list.parts).map((part) => rowsSql(dialect, list, and(cut.where, part), tail, tag))
  if (parts.length < 2) return parts[0] ?? rowsSql(dialect, list, and(cut.where, nothing), tail, tag)
  const { sql, parameters } = unionOf(parts)
  return { sql: `SELECT * FROM (${sql}) AS \`merged\`${tailOf(list, cut)}`, parameters }
}

const partsOf = ({ column, values }: Parts): Where[] =>
  values.map((value) => ({ sql: `\`${column}\` = ?`, parameters: [value] }))

function rowsSql<Row>(
  dialect: Dialect,
  { table, groupBy, having, index }: ListQuery<Row>,
  where: Where,
  tail: string,
  tag?: number,
): Where {
  const tagged = tag === undefined ? '' : `, ${tag} AS \`${TAG}\``
  const hint = index ? byIndex(dialect, table.name, index) : ''
  const from = `FROM \`${table.name}\`${hint} WHERE ${where.sql}`
  const grouped = groupBy ? ` GROUP BY ${quoted(groupBy)}` : ''
  const filtered = having ? ` HAVING ${having.sql}` : ''
  return {
    sql: `SELECT ${table.selected}${tagged} ${from}${grouped}${filtered}${tail}`,
    parameters: having ? [...where.parameters, ...having.parameters] : where.parameters,
  }
}

function tailOf<Row>({ order, descending = false }: ListQuery<Row>, { backward, limit }: ListCut): string {
  const direction = backward !== descending ? ' DESC' : ''
  const by = order.map((column) => `\`${column}\`${direction}`).join(', ')
  return `${by && ` ORDER BY ${by}`} LIMIT ${limit}`
}

/** Union of selects, each with its own order and limit. */
export const unionOf = (selects: readonly Where[]): Where => ({
  sql: selects.map(({ sql }) => `SELECT * FROM (${sql}) AS part`).join(' UNION ALL '),
  parameters: selects.flatMap(({ parameters }) => parameters),
})

/** Counts the rows of a list under a condition, as `n`. */
export function countSql<Row>(list: ListQuery<Row>, where: Where, tag?: number): Where {
  const { table, groupBy, having = null, parts } = list
  const tagged = tag === undefined ? '' : `, ${tag} AS \`${TAG}\``
  if (groupBy) {
    const filtered = having ? ` HAVING ${having.sql}` : ''
    const groups = `SELECT ${table.selected} FROM \`${table.name}\` WHERE ${where.sql} GROUP BY ${quoted(groupBy)}${filtered}`
    const parameters = having ? [...where.parameters, ...having.parameters] : where.parameters
    return { sql: `SELECT COUNT(*) AS n${tagged} FROM (${groups}) AS \`grouped\``, parameters }
  }
  const { sql, parameters } = parts ? and(where, oneOf(parts.column, parts.values)) : where
  return { sql: `SELECT COUNT(*) AS n${tagged} FROM \`${table.name}\` WHERE ${sql}`, parameters }
}

export const enclosed = ({ sql, parameters }: Where): Where => ({ sql: `(${sql})`, parameters })

const nothing: Where = { sql: '1 = 0', parameters: [] }

/**
 * Condition for the rows strictly after a key (`>`) or before it (`<`). MySQL and SQLite can answer it from an index.
 */
export function beyond<Row>({ table, order }: ListQuery<Row>, sign: '<' | '>', key: SortKey): Where {
  const steps = order.map((column, index) =>
    stepOf(column, sign, key[index] ?? null, table.nullable.has(column)),
  )
  return steps.reduceRight<Where | null>((inner, { past, reached }) => {
    if (!inner) return past
    return {
      sql: `${reached.sql} AND (${past.sql} OR ${inner.sql})`,
      parameters: [...reached.parameters, ...past.parameters, ...inner.parameters],
    }
  }, null)!
}

/** Conditions for rows beyond a value of one column, and for rows at or beyond the value. */
interface Step {
  readonly past: Where
  readonly reached: Where
}

/** Returns the conditions for a value. Both databases sort null first. */
function stepOf(column: string, sign: '<' | '>', value: string | number | null, nullable: boolean): Step {
  const orNull = (condition: string) =>
    nullable && sign === '<' ? `(${condition} OR \`${column}\` IS NULL)` : condition
  if (value !== null)
    return {
      past: { sql: orNull(`\`${column}\` ${sign} ?`), parameters: [value] },
      reached: { sql: orNull(`\`${column}\` ${sign}= ?`), parameters: [value] },
    }
  const [past, reached] =
    sign === '>' ? [`\`${column}\` IS NOT NULL`, '1 = 1'] : ['1 = 0', `\`${column}\` IS NULL`]
  return { past: { sql: past, parameters: [] }, reached: { sql: reached, parameters: [] } }
}
