import { rowById } from '../../storage/loaders/loaders.ts'
import { type ListQuery, shownIf } from '../../storage/pagination/list-query.ts'
import { type Page, readPage } from '../../storage/pagination/pagination.ts'
import { tableOf } from '../../storage/sql/table.ts'
import {
  and,
  atLeast,
  before,
  equal,
  equalText,
  tenantColumnOf,
  type Tenant,
  tenantWhere,
} from '../../storage/sql/where.ts'
import { type ConnectionIds, narrowedTenant } from '../schema/connection-ids.ts'
import { idListFilter } from '../schema/id-arguments.ts'
import type { RepositoryDeps } from '../schema/repository-deps.ts'
import type { VisibleReads } from '../tables/visible-reads.ts'
import type { PurchaseCheckArgs } from './purchase-check-args.ts'
import { PurchaseCheck } from './purchase-check.ts'

const checks = tableOf(PurchaseCheck)

/** Repository of purchase checks for one caller. It leaves out the checks of hidden vehicles. */
export function purchaseRepository({ db, cursorKey }: RepositoryDeps, tenant: Tenant, visible: VisibleReads) {
  const ofVisibleVehicles = visible.ownedBy('vehicleId')
  return {
    purchaseCheck: rowById(db, checks, tenant, ofVisibleVehicles),
    purchaseChecks(args: PurchaseCheckArgs, connectionIds: ConnectionIds): Promise<Page<PurchaseCheck>> {
      const scope = narrowedTenant(tenant, connectionIds)
      const list: ListQuery<PurchaseCheck> = {
        table: checks,
        where: and(
          tenantWhere(scope),
          idListFilter('vehicle', args.vehicleIds),
          equalText('cardId', args.cardId),
          equal('decision', args.decision),
          atLeast('purchasedAt', args.purchasedAfter),
          before('purchasedAt', args.purchasedBefore),
        ),
        order: ['id'],
        index: tenantColumnOf(scope) === 'applicationId' ? ['applicationId', 'id'] : undefined,
      }
      return ofVisibleVehicles((condition) => readPage(db, shownIf(list, condition), args, cursorKey))
    },
  }
}

export type PurchaseRepository = ReturnType<typeof purchaseRepository>

export interface PurchasesContext {
  readonly purchases: PurchaseRepository
}
