import type { Dialect } from './dialect.ts'

// SQL that reads JSON columns. Paths and members are constants of the code, never values of a caller.

/** Expression: the text or number at a path of a JSON column. NULL if there is none. Texts are compared exactly. */
export const jsonText = (dialect: Dialect, column: string, path: string): string =>
  dialect === 'mysql'
    ? `(JSON_VALUE(\`${column}\`, '${path}') COLLATE utf8mb4_bin)`
    : `json_extract(\`${column}\`, '${path}')`

/** Expression: the number at a path of a JSON column, as a floating-point number. */
export const jsonNumber = (dialect: Dialect, column: string, path: string): string =>
  `(${jsonText(dialect, column, path)} + 0e0)`

/**
 * Condition: a JSON column contains a text anywhere. It is much faster than reading the JSON, so it comes before
 * conditions that read it. The text has only letters, which JSON does not escape.
 */
export const mayHoldText = (dialect: Dialect, column: string, text: string): string =>
  dialect === 'mysql' ? `\`${column}\` LIKE '%"${text}"%'` : `instr(\`${column}\`, '"${text}"') > 0`

type Members = Readonly<Record<string, string>>

/** Condition: an array at a path of a JSON column contains an object with these members. */
export const arrayHoldsObject = (dialect: Dialect, column: string, path: string, members: Members): string =>
  dialect === 'mysql'
    ? `COALESCE(JSON_CONTAINS(\`${column}\`, '${JSON.stringify(members)}', '${path}'), 0)`
    : `EXISTS (SELECT 1 FROM json_each(\`${column}\`, '${path}') AS item WHERE ${Object.entries(members)
        .map(([name, value]) => `json_extract(item.value, '$.${name}') = '${value}'`)
        .join(' AND ')})`

interface JsonItems {
  /** Follows the table in FROM. The statement then has a row for each object of the array. */
  readonly join: string
  /** Returns the expression for the text of a member. */
  readonly member: (name: string) => string
}

/** SQL that reads the objects of an array at a path of a JSON column. */
export const jsonItems = (
  dialect: Dialect,
  {
    table,
    column,
    path,
    members,
  }: Readonly<Record<'table' | 'column' | 'path', string>> & {
    readonly members: readonly string[]
  },
): JsonItems =>
  dialect === 'mysql'
    ? {
        join: ` JOIN JSON_TABLE(\`${table}\`.\`${column}\`, '${path}[*]' COLUMNS (${members
          .map((name) => `\`${name}\` VARCHAR(48) PATH '$.${name}'`)
          .join(', ')})) AS item`,
        member: (name) => `(item.\`${name}\` COLLATE utf8mb4_bin)`,
      }
    : {
        join: ` JOIN json_each(\`${table}\`.\`${column}\`, '${path}') AS item`,
        member: (name) => `json_extract(item.value, '$.${name}')`,
      }
