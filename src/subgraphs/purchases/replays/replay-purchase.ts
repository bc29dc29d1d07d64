import type { Database } from '../../../storage/database.ts'
import type { Tenant } from '../../../storage/sql/where.ts'
import type { VisibleReads } from '../../tables/visible-reads.ts'
import { findJurisdiction } from '../evidence/find-jurisdiction.ts'
import { litersOf } from '../evidence/liters-of.ts'
import { hiddenVehicle, levelTimeOf, positionOf } from '../evidence/read-facts.ts'
import { fuelLevelBefore, locationAt } from '../evidence/series-points.ts'
import { decideByStage } from '../policy/decide.ts'
import { evaluateRules, type RuleFinding } from '../policy/policy.ts'
import type { MerchantPlace, OtherPurchase, PurchaseFacts } from '../rules/purchase-facts.ts'
import { RuleOutcome } from '../rules/rule.ts'
import type { PastPurchase } from './past-purchase.ts'
import type { PastVehicle } from './past-vehicles.ts'
import type { ReplayResult } from './purchase-replay.ts'
import { checkedAtOf } from './recent-purchases.ts'

interface PastReads {
  readonly db: Pick<Database, 'rows' | 'dialect'>
  readonly tenant: Tenant
  readonly visible: VisibleReads
}

/** What a replay knows of a purchase before it reads the points of its vehicle. */
interface KnownPurchase {
  readonly purchase: PastPurchase
  readonly place: MerchantPlace | null
  readonly others: readonly OtherPurchase[]
}

/** Decides on a purchase of the past with what had been received by then, with two statements. */
export async function replayPurchase(
  reads: PastReads,
  vehicle: PastVehicle,
  known: KnownPurchase,
): Promise<ReplayResult> {
  const facts = await pastFacts(reads, vehicle, known)
  const current = evaluateRules(vehicle.current, facts)
  const tried = evaluateRules(vehicle.tried, facts)
  return {
    current: decideByStage(current),
    tried: decideByStage(tried),
    findings: tried.filter(hasNotPassed),
    currentFindings: current.filter(hasNotPassed).map(({ rule, outcome }) => ({ rule, outcome })),
    isReceiptAssumed:
      checkedAtOf(known.purchase) < vehicle.receipts.connectedAt &&
      (facts.position !== null || facts.fuelLevel !== null),
  }
}

const hasNotPassed = ({ outcome }: RuleFinding): boolean => outcome !== RuleOutcome.PASS

/** Reads the facts as they were known at the time of the purchase. */
async function pastFacts(
  { db, tenant, visible }: PastReads,
  vehicle: PastVehicle,
  { purchase, place, others }: KnownPurchase,
): Promise<PurchaseFacts> {
  const { vehicleId, driverId, cardId, purchasedAt: at, phase, fuel } = purchase
  const described = {
    purchase: {
      purchasedAt: at,
      vehicleId,
      driverId,
      cardId,
      place,
      isAddressWrong: false,
      liters: litersOf(purchase),
      product: fuel?.product ?? null,
      authorizationCheckId: purchase.authorizationCheckId ?? null,
    },
    others,
    refill: null,
  }
  if ((await visible.reference('vehicles', vehicleId)) === null)
    return {
      ...described,
      vehicle: hiddenVehicle(vehicle.facts),
      position: null,
      jurisdiction: null,
      fuelLevel: null,
    }
  const receivedBy = { ...vehicle.receipts, at: checkedAtOf(purchase) }
  const [location, fuelLevel] = await Promise.all([
    locationAt(db, tenant, vehicleId, { at, side: 'before', receivedBy }),
    vehicle.hasSecondTank ? null : fuelLevelBefore(db, tenant, vehicleId, levelTimeOf(phase, at), receivedBy),
  ])
  const [shown = null] = await visible.withoutHiddenDrivers(location ? [location] : [])
  const position = shown && positionOf(shown)
  const jurisdiction = await findJurisdiction(described.purchase, purchase.merchant, position)
  return { ...described, vehicle: vehicle.facts, position, jurisdiction, fuelLevel }
}
