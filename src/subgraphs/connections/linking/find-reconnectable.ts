import { isId } from '../../../domain/ids.ts'
import type { Rows } from '../../../storage/database.ts'
import { and, equal, tenantWhere } from '../../../storage/sql/where.ts'
import type { Connection } from '../connection.ts'
import { transitions } from '../lifecycle/transitions.ts'
import type { LinkApplication } from './link-application.ts'

/** Connection to sign in to again, with the URL of the agreement that its fleet accepted last. */
export interface ReconnectableConnection extends Pick<Connection, 'id' | 'provider'> {
  readonly agreementUrl: string | null
}

const LAST_AGREEMENT = `SELECT \`agreementUrl\` FROM \`agreements\`
  WHERE \`connectionId\` = \`connections\`.\`id\` AND \`type\` = 'end-user-agreement'
  ORDER BY \`acceptedAt\` DESC, \`id\` DESC LIMIT 1`

/**
 * Finds a connection of an application to which its fleet can sign in again. Null if the application has no connection
 * with this id, or its status does not permit a sign-in.
 */
export async function findReconnectableConnection(
  db: Rows,
  { id: applicationId }: Pick<LinkApplication, 'id'>,
  connectionId: string,
): Promise<ReconnectableConnection | null> {
  if (!isId('connection', connectionId)) return null
  const where = and(tenantWhere({ applicationId, connectionIds: null }), equal('id', connectionId))
  const [row] = await db.rows<ReconnectableConnection & Pick<Connection, 'status'>>(
    `SELECT \`id\`, \`provider\`, \`status\`, (${LAST_AGREEMENT}) AS \`agreementUrl\` FROM \`connections\` WHERE ${where.sql}`,
    where.parameters,
  )
  return row && transitions[row.status].sign_in !== 'refused' ? row : null
}
