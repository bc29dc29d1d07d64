import { DAY_MS } from '../../../domain/models/lookback.ts'
import type { Instant } from '../../../domain/time.ts'
import type { Rows } from '../../../storage/database.ts'
import { tableOf, tableWithColumns } from '../../../storage/sql/table.ts'
import { and, atLeast, before, type Tenant, tenantWhere, type Where } from '../../../storage/sql/where.ts'
import { createVisibleReads } from '../../tables/visible-reads.ts'
import { PurchaseDecision } from '../policy/decide.ts'
import { PurchaseCheck } from '../purchase-check.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import type { SummaryPeriod } from '../summary/purchase-summary-args.ts'
import type { ReplayInput } from './past-purchase.ts'
import { PURCHASES_PER_BATCH } from './run-replay.ts'

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

/** Checks of a period that were stored until a time. */
export interface ChecksOfPeriod extends SummaryPeriod {
  readonly checkedUntil: Instant
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
  period: ChecksOfPeriod,
): AsyncGenerator<ReplayInput[]> {
  const where = await whereOf(db, tenant, period)
  for (let from = period.purchasedAfter; from < period.purchasedBefore; from += DAY_MS)
    yield* checksBetween(db, where, from, from + DAY_MS)
}

async function* checksBetween(
  db: Rows,
  where: Where,
  from: Instant,
  until: Instant,
): AsyncGenerator<ReplayInput[]> {
  let after = { purchasedAt: from, id: '' }
  for (let isLast = false; !isLast;) {
    const rows = await db.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`purchase_checks\`
        WHERE ${where.sql} AND \`purchasedAt\` >= ? AND \`purchasedAt\` < ? AND (\`purchasedAt\` > ? OR \`id\` > ?)
        ORDER BY \`purchasedAt\`, \`id\` LIMIT ${PURCHASES_PER_BATCH}`,
      [...where.parameters, after.purchasedAt, until, after.purchasedAt, after.id],
    )
    const checks = rows.map((row) => table.toRow(row))
    isLast = checks.length < PURCHASES_PER_BATCH
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
