import type { Rows } from './database.ts'
import { tableOf } from './sql/table.ts'

/** Reads a row by id, without a tenant condition. Only for workers, which act for every application. */
export async function findById<Row extends object>(
  db: Rows,
  entity: abstract new () => Row,
  id: string,
): Promise<Row | null> {
  const table = tableOf(entity)
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`${table.name}\` WHERE \`id\` = ?`,
    [id],
  )
  return row ? table.toRow(row) : null
}
