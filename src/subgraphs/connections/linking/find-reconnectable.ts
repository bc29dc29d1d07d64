import { isId } from '../../../domain/ids.ts'
import type { Rows } from '../../../storage/database.ts'
import { and, equal, tenantWhere } from '../../../storage/sql/where.ts'
import type { Connection } from '../connection.ts'
import { transitions } from '../lifecycle/transitions.ts'
import type { LinkApplication } from './link-application.ts'

/**
 * Finds a connection of an application to which its fleet can sign in again. Null if the application has no connection
 * with this id, or its status does not permit a sign-in.
 */
export async function findReconnectableConnection(
  db: Rows,
  { id: applicationId }: Pick<LinkApplication, 'id'>,
  connectionId: string,
): Promise<Pick<Connection, 'id' | 'provider'> | null> {
  if (!isId('connection', connectionId)) return null
  const where = and(tenantWhere({ applicationId, connectionIds: null }), equal('id', connectionId))
  const [row] = await db.rows<Pick<Connection, 'id' | 'provider' | 'status'>>(
    `SELECT \`id\`, \`provider\`, \`status\` FROM \`connections\` WHERE ${where.sql}`,
    where.parameters,
  )
  return row && transitions[row.status].sign_in !== 'refused' ? { id: row.id, provider: row.provider } : null
}
