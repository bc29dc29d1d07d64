import type { EngineState } from '../../schema/engine-state.ts'
import type { PurchasePolicy } from '../policy/policy.ts'
import type { PurchaseEvidence } from './purchase-evidence.ts'
import { distanceMeters, reachableMeters } from '../rules/near-merchant.ts'
import { positionAgeSeconds, type PurchaseFacts } from '../rules/purchase-facts.ts'

/** Returns what a check keeps of the facts. */
export function evidenceOf(facts: PurchaseFacts, { rules }: PurchasePolicy): PurchaseEvidence {
  const { purchase, vehicle, position, fuelLevel } = facts
  return {
    position: position?.point ?? null,
    locatedAt: position?.locatedAt ?? null,
    receivedAt: position?.receivedAt ?? null,
    ageSeconds: positionAgeSeconds(facts),
    distanceMeters: distanceMeters(facts),
    merchantAccuracyMeters: purchase.place?.accuracyMeters ?? null,
    merchantPlaceSource: purchase.place?.source ?? null,
    reachableMeters: reachableMeters(facts, rules.near_merchant.limits),
    fuelPercent: fuelLevel?.percent ?? null,
    fuelAt: fuelLevel?.measuredAt ?? null,
    capacityLiters: vehicle?.capacityLiters ?? null,
    capacitySource: vehicle?.capacitySource ?? null,
    engineState: (position?.engineState ?? null) as EngineState | null,
    driverId: position?.driverId ?? null,
  }
}
