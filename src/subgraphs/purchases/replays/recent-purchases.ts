import type { Instant } from '../../../domain/time.ts'
import { COMPARED_MS } from '../evidence/compared-time.ts'
import { litersOf } from '../evidence/liters-of.ts'
import { MAX_COMPARED_BEFORE } from '../evidence/other-purchases.ts'
import type { MerchantPlace, OtherPurchase } from '../rules/purchase-facts.ts'
import type { PastPurchase } from './past-purchase.ts'

/** Purchase with the time from which on it was known. */
interface RecentPurchase extends OtherPurchase {
  readonly knownFrom: Instant
}

/** The last purchases of each vehicle and card of a replay, in the order in which they were added. */
export class RecentPurchases {
  private readonly byOwner = new Map<string, RecentPurchase[]>()

  /** Returns what a purchase is compared with: the purchases of its vehicle and its card in the time before it. */
  before(purchase: PastPurchase): OtherPurchase[] {
    const from = purchase.purchasedAt - COMPARED_MS
    const recent = ownersOf(purchase).flatMap((owner) => this.byOwner.get(owner) ?? [])
    return [...new Set(recent)].filter(
      ({ purchasedAt, knownFrom }) => purchasedAt >= from && knownFrom <= checkedAtOf(purchase),
    )
  }

  add(purchase: PastPurchase, place: MerchantPlace | null): void {
    const { purchasedAt, vehicleId, fuel, authorizationCheckId = null, isDeclined = false } = purchase
    const added: RecentPurchase = {
      knownFrom: checkedAtOf(purchase),
      purchasedAt,
      vehicleId,
      place,
      liters: litersOf(purchase),
      product: fuel?.product ?? null,
      authorizationCheckId,
      // Whether fuel was sold does not depend on what the replay decides.
      isDeclined,
    }
    for (const owner of ownersOf(purchase)) {
      const others = this.byOwner.get(owner) ?? []
      this.byOwner.set(owner, [...others.slice(1 - MAX_COMPARED_BEFORE), added])
    }
  }
}

/** Returns the time until which received data counts. */
export const checkedAtOf = ({ purchasedAt, checkedAt = purchasedAt }: PastPurchase): Instant => checkedAt

/** An authorization is compared with other authorizations, and a capture with other captures. */
const ownersOf = ({ phase, vehicleId, cardId }: PastPurchase): string[] => [
  `${phase} ${vehicleId}`,
  ...(cardId === null ? [] : [`${phase} card ${cardId}`]),
]
