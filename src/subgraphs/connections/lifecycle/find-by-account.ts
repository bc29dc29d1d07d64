import type { Transaction } from '../../../storage/database.ts'
import { forUpdate } from '../../../storage/sql/dialect.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { isMerging } from '../applications/application.ts'
import { lockApplication } from '../applications/lock-application.ts'
import { Connection, type ConnectionStatus } from '../connection.ts'
import type { IdentifiedAccount } from './new-connection.ts'
import { statesChangedBy } from './transitions.ts'

const table = tableOf(Connection)

/**
 * Finds and locks the existing connection of an account. Null if the account gets a new connection. The lock on the
 * application serializes concurrent links of one account, so that they lead to one connection.
 */
export async function findConnectionByAccount(
  tx: Transaction,
  identified: IdentifiedAccount,
): Promise<Connection | null> {
  const { applicationId, provider, account } = identified
  const application = await lockApplication(tx, applicationId)
  if (!isMerging(application) || account.sourceId === '') return null
  const rows = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`connections\`
      WHERE \`applicationId\` = ? AND \`provider\` = ? AND \`sourceId\` = ? ORDER BY \`id\`${forUpdate(tx.dialect)}`,
    [applicationId, provider.manifest.code, account.sourceId],
  )
  // MySQL ignores trailing spaces in `=`, so the source ids are compared again.
  const candidates = rows.map((row) => table.toRow(row)).filter((row) => row.sourceId === account.sourceId)
  return selectConnection(candidates, identified.externalId ?? null)
}

/**
 * Selects the connection to which a link of an account leads, a choice that the specification does not define. Prefers
 * the connection with the same external id to one without an external id. A link without an external id accepts any
 * connection. A connection that is pending deletion is skipped, because only the integrator can cancel a deletion.
 */
function selectConnection(connections: readonly Connection[], externalId: string | null): Connection | null {
  const eligible = connections.filter(
    (connection) =>
      LINKABLE.includes(connection.status) &&
      (externalId === null || connection.externalId === null || connection.externalId === externalId),
  )
  const [first = null] = eligible.sort(
    (a, b) =>
      Number(b.externalId === externalId) - Number(a.externalId === externalId) ||
      LINKABLE.indexOf(a.status) - LINKABLE.indexOf(b.status),
  )
  return first
}

/** Statuses of connections to which a link can lead, in order of preference. */
const LINKABLE: readonly ConnectionStatus[] = statesChangedBy('link_again')
