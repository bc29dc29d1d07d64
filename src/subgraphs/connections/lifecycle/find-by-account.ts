import type { Transaction } from '../../../storage/database.ts'
import { forUpdate } from '../../../storage/sql/dialect.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { isMerging } from '../applications/application.ts'
import { lockApplication } from '../applications/lock-application.ts'
import { Connection, type ConnectionStatus } from '../connection.ts'
import type { IdentifiedAccount } from './new-connection.ts'
import { statesMovedBy } from './transitions.ts'

const table = tableOf(Connection)

/**
 * The connection that an account leads to, held for the rest of the transaction; null where it gets one of its own.
 * While an account is linked, others of the same application wait: of one that is linked many times at once there is
 * one connection.
 */
export async function findConnectionByAccount(
  tx: Transaction,
  linked: IdentifiedAccount,
): Promise<Connection | null> {
  const { applicationId, provider, account } = linked
  const application = await lockApplication(tx, applicationId)
  if (!isMerging(application) || account.sourceId === '') return null
  const rows = await tx.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`connections\`
      WHERE \`applicationId\` = ? AND \`provider\` = ? AND \`sourceId\` = ? ORDER BY \`id\`${forUpdate(tx.dialect)}`,
    [applicationId, provider.manifest.code, account.sourceId],
  )
  const ofAccount = rows.map((row) => table.toRow(row)).filter((row) => row.sourceId === account.sourceId)
  return chosenOf(ofAccount, linked.externalId ?? null)
}

/**
 * Which of an account's connections a run leads to: the one with its identifier, else one without any; a run without
 * an identifier leads to any. One whose deletion was asked for is let go: it is for the integrator to call that off.
 *
 * @gap 1.1
 */
function chosenOf(connections: readonly Connection[], externalId: string | null): Connection | null {
  const fitting = connections.filter(
    (one) =>
      LINKABLE.includes(one.status) &&
      (externalId === null || one.externalId === null || one.externalId === externalId),
  )
  const [first = null] = fitting.sort(
    (one, other) =>
      Number(other.externalId === externalId) - Number(one.externalId === externalId) ||
      LINKABLE.indexOf(one.status) - LINKABLE.indexOf(other.status),
  )
  return first
}

/** Those that an account can lead to, the likeliest first. */
const LINKABLE: readonly ConnectionStatus[] = statesMovedBy('link_again')
