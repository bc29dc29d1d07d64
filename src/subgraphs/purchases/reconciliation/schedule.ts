import type { Instant } from '../../../domain/time.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import { fillsTank } from '../rules/liters.ts'
import type { Purchase } from '../rules/purchase-facts.ts'

const HOUR_MS = 3_600_000

/** Times after a capture at which its liters are compared with the fuel level. The second one is for late levels. */
const COMPARED_AFTER_MS = { first: 24 * HOUR_MS, last: 72 * HOUR_MS } as const

/** Levels until this time after a capture are read. */
export const READ_AFTER_MS = COMPARED_AFTER_MS.last

/** Returns when a purchase is reconciled first. Null for one that is no capture, or whose liters do not show in the level. */
export const firstReconciliation = (
  purchase: Pick<Purchase, 'purchasedAt' | 'liters' | 'product'>,
  phase: PurchasePhase,
): Instant | null =>
  phase === PurchasePhase.CAPTURE && purchase.liters !== null && fillsTank(purchase)
    ? purchase.purchasedAt + COMPARED_AFTER_MS.first
    : null

/** Returns when a purchase is reconciled again, because levels that are missing may come later. Null if it is final. */
export function nextReconciliation(
  purchasedAt: Instant,
  now: Instant,
  { isLevelKnown }: { readonly isLevelKnown: boolean },
): Instant | null {
  const last = purchasedAt + COMPARED_AFTER_MS.last
  return !isLevelKnown && now < last ? last : null
}
