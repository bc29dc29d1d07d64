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
  /** Check of the authorization that the purchase captures. */
  readonly authorizationCheckId?: string | null
  /** Whether the purchase was declined then, so that no fuel was sold. */
  readonly isDeclined?: boolean
}

/** A purchase, with the line of the file or the check that describes it. */
export interface ReplayInput {
  readonly line: number | null
  readonly checkId: string | null
  readonly purchase: PastPurchase
}
