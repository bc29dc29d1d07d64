import type { Rows } from '../../../storage/database.ts'
import { tableOf, tableWithColumns } from '../../../storage/sql/table.ts'
import { and, atLeast, before, type Tenant, tenantWhere } from '../../../storage/sql/where.ts'
import { PurchaseDecision } from '../policy/decide.ts'
import { PurchaseCheck } from '../purchase-check.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import type { SummaryPeriod } from '../summary/purchase-summary-args.ts'
import type { ReplayInput } from './past-purchase.ts'

const table = tableWithColumns(tableOf(PurchaseCheck), [
  'id',
  'vehicleId',
  'driverId',
  'cardId',
  'purchasedAt',
  'phase',
  'authorizationCheckId',
  'merchant',
  'amount',
  'fuel',
  'decision',
])

/** Checks of a period that were stored until a time. */
export interface ChecksOfPeriod extends SummaryPeriod {
  readonly checkedUntil: number
}

const whereOf = (tenant: Tenant, { purchasedAfter, purchasedBefore, checkedUntil }: ChecksOfPeriod) =>
  and(
    tenantWhere(tenant),
    atLeast('purchasedAt', purchasedAfter),
    before('purchasedAt', purchasedBefore),
    before('checkedAt', checkedUntil),
  )

/** Returns the number of checks of a period. */
export async function countChecks(db: Rows, tenant: Tenant, period: ChecksOfPeriod): Promise<number> {
  const where = whereOf(tenant, period)
  const [row] = await db.rows<{ count: number }>(
    `SELECT COUNT(*) AS \`count\` FROM \`purchase_checks\` WHERE ${where.sql}`,
    where.parameters,
  )
  return Number(row?.count ?? 0)
}

/** Reads the checks of a period in the order of their time, in batches. */
export async function* storedChecks(
  db: Rows,
  tenant: Tenant,
  period: ChecksOfPeriod,
  batchSize: number,
): AsyncGenerator<ReplayInput[]> {
  const where = whereOf(tenant, period)
  let after = { purchasedAt: 0, id: '' }
  for (let isLast = false; !isLast;) {
    const rows = await db.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`purchase_checks\`
        WHERE ${where.sql} AND \`purchasedAt\` >= ? AND (\`purchasedAt\` > ? OR \`id\` > ?)
        ORDER BY \`purchasedAt\`, \`id\` LIMIT ${batchSize}`,
      [...where.parameters, after.purchasedAt, after.purchasedAt, after.id],
    )
    const checks = rows.map((row) => table.toRow(row))
    isLast = checks.length < batchSize
    after = checks.at(-1) ?? after
    if (checks.length > 0) yield checks.map(inputOf)
  }
}

const inputOf = ({ id, decision, ...purchase }: PurchaseCheck): ReplayInput => ({
  line: null,
  checkId: id,
  purchase: {
    ...purchase,
    // At a capture, the fuel has been sold whatever the decision.
    isDeclined: decision === PurchaseDecision.DECLINE && purchase.phase === PurchasePhase.AUTHORIZATION,
  },
})
