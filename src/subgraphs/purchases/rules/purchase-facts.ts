import type { Point } from '../../../domain/models/point.ts'
import type { Instant } from '../../../domain/time.ts'
import type { CapacitySource } from '../evidence/capacity-source.ts'
import type { FuelProduct } from '../fuel-product.ts'
import type { MerchantPlaceSource } from '../evidence/merchant-place-source.ts'

/** Place of a merchant. Its true position is at most `accuracyMeters` away from the point. */
export interface MerchantPlace extends Point {
  readonly accuracyMeters: number
  readonly source: MerchantPlaceSource
  /** The application's own id of the site whose place it is. */
  readonly siteId?: string
  /** Number of confirmed purchases that the place is learnt from. */
  readonly sightings?: number
  /** Area of the address of a learnt place: the merchant may have moved there. */
  readonly area?: Pick<MerchantPlace, 'longitude' | 'latitude' | 'accuracyMeters'> | null
}

/** Purchase as the caller describes it. */
export interface Purchase {
  readonly purchasedAt: Instant
  readonly vehicleId: string
  readonly driverId: string | null
  readonly cardId: string | null
  /** Null if the place of the merchant is unknown. */
  readonly place: MerchantPlace | null
  /** Whether confirmed purchases show that the merchant is not at its address. Its place is unknown then. */
  readonly isAddressWrong: boolean
  readonly liters: number | null
  readonly product: FuelProduct | null
  /** Check of the authorization that the purchase captures. */
  readonly authorizationCheckId: string | null
}

/** Earlier or later purchase with the same card or for the same vehicle. */
export interface OtherPurchase {
  readonly purchasedAt: Instant
  readonly vehicleId: string
  readonly place: MerchantPlace | null
  readonly liters: number | null
  readonly product: FuelProduct | null
  /** Check of the authorization that the purchase captures. */
  readonly authorizationCheckId: string | null
  readonly isDeclined: boolean
}

export interface VehicleFacts {
  /** Whether the fleet uses the vehicle: it is active, and its provider still lists it. */
  readonly isActive: boolean
  readonly isConnected: boolean
  /** Whether the filters of the connection hide the vehicle. Nothing else is known about it then. */
  readonly isHidden: boolean
  /** Time zone of the fleet. */
  readonly timeZone: string | null
  readonly fuelType: string | null
  readonly capacityLiters: number | null
  readonly capacitySource: CapacitySource | null
  /** Highest capacity that the last fills show; null if they show none. */
  readonly learntLiters: number | null
  /** Why the fuel levels cannot be used; null if they can. */
  readonly levelProblem: string | null
  /** Why the capacity cannot be used to decline; null if it can. */
  readonly capacityProblem: string | null
}

/** Position of the vehicle closest in time to the purchase. */
export interface PositionFacts {
  readonly point: Point
  readonly locatedAt: Instant
  /** When Odograph stored the position. */
  readonly receivedAt: Instant
  readonly speedKmh: number | null
  readonly engineState: 'on' | 'off' | 'idle' | null
  readonly driverId: string | null
}

/** Last fuel level before the purchase. */
export interface FuelLevelFacts {
  /** 0 to 100. Of two tanks, the mean. */
  readonly percent: number
  readonly measuredAt: Instant
}

/** State or province of the merchant. */
export interface JurisdictionFacts {
  /** Two letters, such as TX. */
  readonly code: string
  /** Distance of the position of the vehicle from it, 0 inside; null if the position is unknown. */
  readonly kilometersAway: number | null
}

/** Time in which the vehicle stood. */
export interface Stop {
  readonly from: Instant
  readonly to: Instant
}

/** Reading of the counter of the time for which the engine has run. */
export interface EngineRuntime {
  readonly milliseconds: number
  readonly measuredAt: Instant
}

/** What the vehicle reported around and after a capture. */
export interface RefillFacts {
  /** Fuel levels from before the capture until some days after it, by time. */
  readonly levels: readonly FuelLevelFacts[]
  /** Readings of the same time, by time. */
  readonly runtimes: readonly EngineRuntime[]
  readonly stops: readonly Stop[]
}

/** All that the rules know. A part that is null is unknown: the database has none, or did not return it in time. */
export interface PurchaseFacts {
  readonly purchase: Purchase
  readonly vehicle: VehicleFacts | null
  readonly position: PositionFacts | null
  /** Null outside the US and Canada, and if the state of the merchant is unknown. */
  readonly jurisdiction: JurisdictionFacts | null
  readonly fuelLevel: FuelLevelFacts | null
  readonly others: readonly OtherPurchase[] | null
  /** Null for a purchase that is not reconciled yet. */
  readonly refill: RefillFacts | null
}

/** Returns why rules about places cannot be evaluated for a purchase without a place. */
export const unknownPlaceText = ({ isAddressWrong }: Purchase): string =>
  isAddressWrong
    ? 'The place of the merchant is unknown: confirmed purchases were far from its address.'
    : 'The place of the merchant is unknown.'

/** Returns the time between the purchase and the position, in seconds. */
export const positionAgeSeconds = ({ purchase, position }: PurchaseFacts): number | null =>
  position === null ? null : Math.abs(purchase.purchasedAt - position.locatedAt) / 1000
