import { tableOf } from '../storage/sql/table.ts'
import { Application } from '../subgraphs/connections/applications/application.ts'
import { CliError } from './cli-error.ts'
import type { CommandContext } from './command-context.ts'

const table = tableOf(Application)

/** Returns an application. If there is none, the error names the command that lists the ids. */
export async function findApplicationById(
  { db }: Pick<CommandContext, 'db'>,
  id: string,
): Promise<Application> {
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`applications\` WHERE \`id\` = ?`,
    [id],
  )
  if (!row)
    throw new CliError(`there is no application ${id}: \`odograph applications list\` shows their ids`)
  return table.toRow(row)
}
