import { type Caller, keyHolder } from '../../auth/caller.ts'
import { isRefusal } from '../../errors.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { meantConnection } from '../../subgraphs/connections/meant-connection.ts'
import { Refused } from '../refused.ts'
import type { Tools } from '../tools.ts'

/** The application that owns a connection, as the caller that its verbs are bound to. */
export async function callerFor(
  tools: Pick<Tools, 'db'>,
  connectionId: string,
  application: string | undefined,
): Promise<Caller> {
  const { applicationId } = await connectionOf(tools, connectionId, application)
  return keyHolder(applicationId)
}

/** A connection by its id; the refusal says where to look. */
export async function connectionOf(
  { db }: Pick<Tools, 'db'>,
  id: string,
  application: string | undefined,
): Promise<Connection> {
  const [owner] = await db.rows<Pick<Connection, 'applicationId'>>(
    'SELECT `applicationId` FROM `connections` WHERE `id` = ?',
    [id],
  )
  const caller = keyHolder(application ?? owner?.applicationId ?? '')
  try {
    return await meantConnection(db, caller, id)
  } catch (error) {
    if (!isRefusal(error)) throw error
    const whose = application === undefined ? '' : ` of application ${application}`
    throw new Refused(`there is no connection ${id}${whose}: \`odograph connections list\` names them`, 1, {
      cause: error,
    })
  }
}
