import type { Rows } from '../../../storage/database.ts'
import { tableOf, tableWithColumns } from '../../../storage/sql/table.ts'
import { and, atLeast, before, type Tenant, tenantWhere, type Where } from '../../../storage/sql/where.ts'
import { createVisibleReads } from '../../tables/visible-reads.ts'
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
  'checkedAt',
  'phase',
  'authorizationCheckId',
  'merchant',
  'amount',
  'fuel',
  'decision',
])

const DAY_MS = 24 * 3_600_000

/** Checks of a period that were stored until a time. */
export interface ChecksOfPeriod extends SummaryPeriod {
  readonly checkedUntil: number
}

/** Returns the condition of the checks of a period whose vehicles no filter hides. */
async function whereOf(
  db: Rows,
  tenant: Tenant,
  { purchasedAfter, purchasedBefore, checkedUntil }: ChecksOfPeriod,
): Promise<Where> {
  const visible = createVisibleReads(db, tenant)
  await visible.filters()
  return visible.ownedBy('vehicleId')(async (ofVisibleVehicles) =>
    and(
      tenantWhere(tenant),
      atLeast('purchasedAt', purchasedAfter),
      before('purchasedAt', purchasedBefore),
      before('checkedAt', checkedUntil),
      ofVisibleVehicles,
    ),
  )
}

/** Returns the number of checks of a period. */
export async function countChecks(db: Rows, tenant: Tenant, period: ChecksOfPeriod): Promise<number> {
  const where = await whereOf(db, tenant, period)
  const [row] = await db.rows<{ count: number }>(
    `SELECT COUNT(*) AS \`count\` FROM \`purchase_checks\` WHERE ${where.sql}`,
    where.parameters,
  )
  return Number(row?.count ?? 0)
}

/** Reads the checks of a period in the order of their time, in batches. A statement reads those of one day at most. */
export async function* storedChecks(
  db: Rows,
  tenant: Tenant,
  { purchasedAfter, purchasedBefore, checkedUntil }: ChecksOfPeriod,
  batchSize: number,
): AsyncGenerator<ReplayInput[]> {
  for (let from = purchasedAfter; from < purchasedBefore; from += DAY_MS) {
    const day = {
      purchasedAfter: from,
      purchasedBefore: Math.min(from + DAY_MS, purchasedBefore),
      checkedUntil,
    }
    yield* checksOfDay(db, tenant, day, batchSize)
  }
}

async function* checksOfDay(
  db: Rows,
  tenant: Tenant,
  period: ChecksOfPeriod,
  batchSize: number,
): AsyncGenerator<ReplayInput[]> {
  const where = await whereOf(db, tenant, period)
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
