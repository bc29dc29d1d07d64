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
 * Finds and locks the existing connection of an account. Null if the account gets a new connection. The lock
 * on the application serializes concurrent links of one account, so they share one connection.
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
  const candidates = rows.map((row) => table.toRow(row)).filter((row) => row.sourceId === account.sourceId)
  return selectConnection(candidates, identified.externalId ?? null)
}

/**
 * Selects the connection of an account that a run leads to. The order is: the connection with the same
 * external id, then one without an external id. A run without an external id accepts any connection. A
 * connection that is pending deletion is skipped, because only the integrator can cancel a deletion. The
 * specification does not define this choice.
 */
function selectConnection(connections: readonly Connection[], externalId: string | null): Connection | null {
  const eligible = connections.filter(
    (one) =>
      LINKABLE.includes(one.status) &&
      (externalId === null || one.externalId === null || one.externalId === externalId),
  )
  const [first = null] = eligible.sort(
    (one, other) =>
      Number(other.externalId === externalId) - Number(one.externalId === externalId) ||
      LINKABLE.indexOf(one.status) - LINKABLE.indexOf(other.status),
  )
  return first
}

/** States of connections that an account can lead to, in order of preference. */
const LINKABLE: readonly ConnectionStatus[] = statesChangedBy('link_again')
