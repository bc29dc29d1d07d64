import type { Instant } from '../../../domain/time.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import { fillsTank } from '../rules/liters.ts'
import type { Purchase } from '../rules/purchase-facts.ts'
import { RuleOutcome, type RuleResult } from '../rules/rule.ts'

const HOUR_MS = 3_600_000

/** Times after a capture at which its liters are compared with the fuel level. A shortfall ends the comparison early. */
const COMPARED_AFTER_MS = { first: 2 * HOUR_MS, complete: 24 * HOUR_MS, last: 72 * HOUR_MS } as const

/** Levels until this time after a capture are read. */
export const READ_AFTER_MS = COMPARED_AFTER_MS.complete

/** Returns when a purchase is reconciled first. Null for one that is no capture, or whose liters do not show in the level. */
export const firstReconciliation = (
  purchase: Pick<Purchase, 'purchasedAt' | 'liters' | 'product'>,
  phase: PurchasePhase,
): Instant | null =>
  phase === PurchasePhase.CAPTURE && purchase.liters !== null && fillsTank(purchase)
    ? purchase.purchasedAt + COMPARED_AFTER_MS.first
    : null

/**
 * Returns when a purchase is reconciled again; null if these findings are final. A fail is final. Levels that are missing
 * may come later.
 */
export function nextReconciliation(
  purchasedAt: Instant,
  now: Instant,
  findings: readonly RuleResult[],
): Instant | null {
  const has = (outcome: RuleOutcome) => findings.some((finding) => finding.outcome === outcome)
  if (findings.length === 0 || has(RuleOutcome.FAIL)) return null
  if (now < purchasedAt + COMPARED_AFTER_MS.complete) return purchasedAt + COMPARED_AFTER_MS.complete
  const last = purchasedAt + COMPARED_AFTER_MS.last
  return has(RuleOutcome.UNKNOWN) && now < last ? last : null
}
