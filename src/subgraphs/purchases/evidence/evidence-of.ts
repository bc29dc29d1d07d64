import type { EngineState } from '../../schema/enums/engine-state.ts'
import type { PurchasePolicy } from '../policy/policy.ts'
import type { MerchantEvidence, PurchaseEvidence } from './purchase-evidence.ts'
import { distanceMeters, reachableMeters } from '../rules/near-merchant.ts'
import { positionAgeSeconds, type Purchase, type PurchaseFacts } from '../rules/purchase-facts.ts'

/** Returns what a check keeps of the place of its merchant. It shows nothing of the vehicle. */
const merchantEvidenceOf = ({ place }: Purchase): MerchantEvidence => ({
  merchantPlace: place && { longitude: place.longitude, latitude: place.latitude },
  merchantAccuracyMeters: place?.accuracyMeters ?? null,
  merchantPlaceSource: place?.source ?? null,
  merchantSiteId: place?.siteId ?? null,
  merchantSightings: place?.sightings ?? null,
})

/** Returns what a check keeps of the facts. */
export function evidenceOf(facts: PurchaseFacts, { rules }: PurchasePolicy): PurchaseEvidence {
  const { purchase, vehicle, position, fuelLevel } = facts
  return {
    position: position?.point ?? null,
    locatedAt: position?.locatedAt ?? null,
    receivedAt: position?.receivedAt ?? null,
    ageSeconds: positionAgeSeconds(facts),
    distanceMeters: distanceMeters(facts),
    ...merchantEvidenceOf(purchase),
    reachableMeters: reachableMeters(facts, rules.near_merchant.limits),
    fuelPercent: fuelLevel?.percent ?? null,
    fuelAt: fuelLevel?.measuredAt ?? null,
    capacityLiters: vehicle?.capacityLiters ?? null,
    capacitySource: vehicle?.capacitySource ?? null,
    engineState: (position?.engineState ?? null) as EngineState | null,
    driverId: position?.driverId ?? null,
  }
}

/** Returns what a check has kept of the place of its merchant. */
export const merchantEvidenceIn = ({
  merchantPlace = null,
  merchantAccuracyMeters,
  merchantPlaceSource = null,
  merchantSiteId = null,
  merchantSightings = null,
}: PurchaseEvidence): MerchantEvidence => ({
  merchantPlace,
  merchantAccuracyMeters,
  merchantPlaceSource,
  merchantSiteId,
  merchantSightings,
})
