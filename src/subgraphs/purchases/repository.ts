import { type Caller, requireSecretKey } from '../../auth/caller.ts'
import type { Clock } from '../../domain/time.ts'
import { rowById } from '../../storage/loaders/loaders.ts'
import { type ListQuery, shownIf } from '../../storage/pagination/list-query.ts'
import { type Page, type PageRequest, readPage } from '../../storage/pagination/pagination.ts'
import { tableOf } from '../../storage/sql/table.ts'
import {
  and,
  atLeast,
  before,
  equal,
  equalText,
  indexOf,
  tenantColumnOf,
  tenantWhere,
} from '../../storage/sql/where.ts'
import { type ConnectionIds, narrowedTenant } from '../schema/connection-ids.ts'
import { idListFilter } from '../schema/id-arguments.ts'
import type { RepositoryDeps } from '../schema/repository-deps.ts'
import type { VisibleReads } from '../tables/visible-reads.ts'
import { PurchaseCard } from './cards/purchase-card.ts'
import { findVehicle } from './evidence/vehicle-row.ts'
import type { IftaReport } from './ifta-report/ifta-report.ts'
import type { IftaReportArgs } from './ifta-report/ifta-report-args.ts'
import { reportIfta } from './ifta-report/report-ifta.ts'
import { readEffectivePolicy } from './policy/effective-policy.ts'
import { APPLICATION_TARGET, targetsOf } from './policy/policy-target.ts'
import { type EffectivePurchasePolicy, settingsList, StoredPurchasePolicy } from './policy/purchase-policy.ts'
import type { PurchaseCheckArgs } from './purchase-check-args.ts'
import { PurchaseCheck } from './purchase-check.ts'
import { PurchaseReplay } from './replays/purchase-replay.ts'
import { hashOfSite, PurchaseSite } from './sites/purchase-site.ts'
import type { PurchaseSummary } from './summary/purchase-summary.ts'
import type { PurchaseSummaryArgs } from './summary/purchase-summary-args.ts'
import { summarizePurchases } from './summary/summarize-purchases.ts'

const checks = tableOf(PurchaseCheck)
const cards = tableOf(PurchaseCard)
const sites = tableOf(PurchaseSite)
const policies = tableOf(StoredPurchasePolicy)
const replays = tableOf(PurchaseReplay)
const ORDER = ['purchasedAt', 'id'] as const

export interface PurchaseRepositoryDeps extends RepositoryDeps {
  readonly clock: Clock
}

/** Repository of purchase checks for one caller. It leaves out the checks of hidden vehicles. */
export function purchaseRepository(
  { db, cursorKey, clock }: PurchaseRepositoryDeps,
  tenant: Caller,
  visible: VisibleReads,
) {
  const ofVisibleVehicles = visible.ownedBy('vehicleId')
  const replayById = rowById(db, replays, tenant)
  const targetsOfVehicle = async (vehicleId: string) => {
    const vehicle = await findVehicle(db, tenant, { vehicleId, driverId: null })
    return vehicle && targetsOf({ vehicleId, ...vehicle })
  }
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
          equalText('authorizationId', args.authorizationId),
          equal('decision', args.decision),
          atLeast('purchasedAt', args.purchasedAfter),
          before('purchasedAt', args.purchasedBefore),
        ),
        order: ORDER,
        // The index of the vehicle, the card or the authorization has fewer rows.
        index: [args.vehicleIds, args.cardId, args.authorizationId].every((value) => value == null)
          ? indexOf(tenantColumnOf(scope), ORDER)
          : undefined,
      }
      return ofVisibleVehicles((condition) => readPage(db, shownIf(list, condition), args, cursorKey))
    },
    purchaseSummary: (args: PurchaseSummaryArgs, connectionIds: ConnectionIds): Promise<PurchaseSummary> =>
      summarizePurchases({ db, clock }, { caller: tenant, visible }, args, connectionIds),
    iftaReport: (args: IftaReportArgs, connectionIds: ConnectionIds): Promise<IftaReport> =>
      reportIfta({ db, clock }, { caller: tenant, visible }, args, connectionIds),
    async cards(
      args: PageRequest & { readonly vehicleIds?: readonly string[] | null },
    ): Promise<Page<PurchaseCard>> {
      requireSecretKey(tenant, 'Fuel cards')
      const list: ListQuery<PurchaseCard> = {
        table: cards,
        where: and(tenantWhere(tenant), idListFilter('vehicle', args.vehicleIds)),
        order: ['id'],
        index: args.vehicleIds ? undefined : ['applicationId', 'id'],
      }
      return ofVisibleVehicles((condition) => readPage(db, shownIf(list, condition), args, cursorKey))
    },
    async sites(args: PageRequest & { readonly siteId?: string | null }): Promise<Page<PurchaseSite>> {
      requireSecretKey(tenant, 'Purchase sites')
      const siteHash = args.siteId == null ? null : hashOfSite(tenant.applicationId, args.siteId)
      const list: ListQuery<PurchaseSite> = {
        table: sites,
        where: and(tenantWhere(tenant), equal('siteHash', siteHash)),
        order: ['id'],
        index: siteHash === null ? ['applicationId', 'id'] : undefined,
      }
      return readPage(db, list, args, cursorKey)
    },
    async policies(args: PageRequest): Promise<Page<StoredPurchasePolicy>> {
      requireSecretKey(tenant, 'Purchase policies')
      const list: ListQuery<StoredPurchasePolicy> = {
        table: policies,
        where: tenantWhere(tenant),
        order: ['version'],
        index: ['applicationId', 'version'],
      }
      return readPage(db, list, args, cursorKey)
    },
    async replay(id: string): Promise<PurchaseReplay | null> {
      requireSecretKey(tenant, 'Replays')
      return replayById.load(id)
    },
    async replays(args: PageRequest): Promise<Page<PurchaseReplay>> {
      requireSecretKey(tenant, 'Replays')
      const list: ListQuery<PurchaseReplay> = {
        table: replays,
        where: tenantWhere(tenant),
        order: ['id'],
        index: ['applicationId', 'id'],
      }
      return readPage(db, list, args, cursorKey)
    },
    /** Returns the policy for a vehicle, or for the application; null if there is no such vehicle. */
    async effectivePolicy(vehicleId: string | null): Promise<EffectivePurchasePolicy | null> {
      requireSecretKey(tenant, 'Purchase policies')
      const targets = vehicleId === null ? [APPLICATION_TARGET] : await targetsOfVehicle(vehicleId)
      if (!targets) return null
      const { rules, ...policy } = await readEffectivePolicy(db, tenant, targets, clock.now())
      return { ...policy, rules: settingsList(rules) }
    },
  }
}

export type PurchaseRepository = ReturnType<typeof purchaseRepository>

export interface PurchasesContext {
  readonly purchases: PurchaseRepository
}
