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
  /** When the purchase was checked. Data that was received until then counts. By default, it is the time of the purchase. */
  readonly checkedAt?: Instant
}

/** A purchase, with the line of the file or the check that describes it. */
export interface ReplayInput {
  readonly line: number | null
  readonly checkId: string | null
  readonly purchase: PastPurchase
}

/** Place of an input in the order of time. No two inputs of a replay have the same one. */
export interface ReplayPosition {
  readonly purchasedAt: Instant
  /** The line or the id of the check. */
  readonly key: string
}

const LINE_DIGITS = 9

export const positionOfInput = ({ line, checkId, purchase }: ReplayInput): ReplayPosition => ({
  purchasedAt: purchase.purchasedAt,
  key: checkId ?? String(line).padStart(LINE_DIGITS, '0'),
})

export const isAfter = (one: ReplayPosition, other: ReplayPosition): boolean =>
  one.purchasedAt > other.purchasedAt || (one.purchasedAt === other.purchasedAt && one.key > other.key)
