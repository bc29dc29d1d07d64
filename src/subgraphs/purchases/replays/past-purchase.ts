import type { Instant } from '../../../domain/time.ts'
import type { CheckPurchaseInput } from '../check-purchase-input.ts'
import type { PurchasePhase } from '../purchase-enums.ts'

/** Purchase of the past whose vehicle is known. */
export interface PastPurchase extends Pick<CheckPurchaseInput, 'merchant' | 'amount' | 'fuel'> {
  readonly purchasedAt: Instant
  readonly vehicleId: string
  readonly driverId: string | null
  /** The caller's own id of the card. */
  readonly cardId: string | null
  readonly phase: PurchasePhase
}
