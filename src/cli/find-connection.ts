import { type Caller, keyHolder } from '../auth/caller.ts'
import { isClientError } from '../domain/errors.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import { findCallersConnection } from '../subgraphs/connections/find-connection.ts'
import { CliError } from './cli-error.ts'
import type { CommandContext } from './command-context.ts'

/** Returns a caller with the rights of the application that owns the connection. See `findConnection`. */
export async function callerOfConnection(
  context: Pick<CommandContext, 'db'>,
  connectionId: string,
  application: string | undefined,
): Promise<Caller> {
  const { applicationId } = await findConnection(context, connectionId, application)
  return keyHolder(applicationId)
}

/**
 * Returns a connection. If there is none, the error names the command that lists the ids. If `application` is given, a
 * connection of another application is not found.
 */
export async function findConnection(
  { db }: Pick<CommandContext, 'db'>,
  id: string,
  application: string | undefined,
): Promise<Connection> {
  const [row] = await db.rows<Pick<Connection, 'applicationId'>>(
    'SELECT `applicationId` FROM `connections` WHERE `id` = ?',
    [id],
  )
  const caller = keyHolder(application ?? row?.applicationId ?? '')
  try {
    return await findCallersConnection(db, caller, id)
  } catch (error) {
    if (!isClientError(error)) throw error
    const owner = application === undefined ? '' : ` of application ${application}`
    throw new CliError(
      `there is no connection ${id}${owner}: \`odograph connections list\` shows their ids`,
      1,
      {
        cause: error,
      },
    )
  }
}
