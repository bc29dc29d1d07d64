import type { Clock } from '../../../domain/time.ts'
import type { Database } from '../../../storage/database.ts'
import { listLimits, requestedSize } from '../../../storage/pagination/pagination.ts'
import { and, indexOf, tenantColumnOf, tenantWhere } from '../../../storage/sql/where.ts'
import { type ConnectionIds, narrowedTenant } from '../../schema/connection-ids.ts'
import { idListFilter } from '../../schema/id-arguments.ts'
import type { VisibleRequester } from '../../tables/visible-reads.ts'
import type { PurchaseSummary } from './purchase-summary.ts'
import { periodOf, type PurchaseSummaryArgs } from './purchase-summary-args.ts'
import { readPurchaseSummary } from './read-purchase-summary.ts'

interface SummaryDeps {
  readonly db: Pick<Database, 'rows' | 'dialect'>
  readonly clock: Clock
}

/** Sums the checks that a caller may see. Throws if an argument is invalid. */
export async function summarizePurchases(
  { db, clock }: SummaryDeps,
  { caller, visible }: VisibleRequester,
  args: PurchaseSummaryArgs,
  connectionIds: ConnectionIds,
): Promise<PurchaseSummary> {
  const scope = narrowedTenant(caller, connectionIds)
  const ofScope = and(tenantWhere(scope), idListFilter('vehicle', args.vehicleIds))
  const request = {
    by: args.by,
    applicationId: caller.applicationId,
    first: requestedSize(args, listLimits),
    ...periodOf(args, clock.now()),
    // The index of the vehicle has fewer rows.
    index: args.vehicleIds == null ? indexOf(tenantColumnOf(scope), ['purchasedAt', 'id']) : undefined,
  }
  // Until the filters are known, a read runs twice.
  await visible.filters()
  return visible.ownedBy('vehicleId')((visibleVehicles) =>
    visible.ownedBy('driverId')((visibleDrivers) =>
      readPurchaseSummary(db, { ...request, where: and(ofScope, visibleVehicles), visibleDrivers }),
    ),
  )
}
