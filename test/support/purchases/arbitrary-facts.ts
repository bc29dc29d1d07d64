import fc from 'fast-check'
import { FuelProduct } from '../../../src/subgraphs/purchases/fuel-product.ts'
import { MerchantPlaceSource } from '../../../src/subgraphs/purchases/evidence/merchant-place-source.ts'
import type {
  MerchantPlace,
  OtherPurchase,
  PurchaseFacts,
} from '../../../src/subgraphs/purchases/rules/purchase-facts.ts'
import { NOON } from '../factories.ts'

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const time = fc.integer({ min: -86_400_000, max: 86_400_000 }).map((offset) => NOON + offset)
const minutesFromNoon = (min: number, max: number) =>
  fc.integer({ min, max }).map((minutes) => NOON + minutes * 60_000)
const product = orNull(fc.constantFrom(...Object.values(FuelProduct)))
const fuelType = fc.constantFrom(
  'gasoline',
  'diesel',
  'propane',
  'electric',
  'hybrid_gasoline',
  'hybrid_diesel',
)
const vehicleId = fc.constantFrom('vcl_1', 'vcl_2')
const driverId = fc.constantFrom('drv_1', 'drv_2')

/** Points within some 200 km, so that distances are on both sides of every limit. */
const point = fc.record({ longitude: number(-98, -96), latitude: number(29, 31) })

const place: fc.Arbitrary<MerchantPlace> = fc
  .tuple(point, number(0, 20_000), fc.constantFrom(...Object.values(MerchantPlaceSource)))
  .map(([at, accuracyMeters, source]) => ({ ...at, accuracyMeters, source }))

const liters = number(0.1, 1500)

const other: fc.Arbitrary<OtherPurchase> = fc.record({
  purchasedAt: time,
  vehicleId,
  place: orNull(place),
  liters: orNull(liters),
  product,
  authorizationCheckId: fc.constantFrom(null, 'pchk_1'),
  isDeclined: fc.boolean(),
})

/** Fuel levels and stops from two hours before noon until a day after it. */
const refill = fc.record({
  levels: fc
    .array(fc.record({ percent: number(0, 100), measuredAt: minutesFromNoon(-120, 1440) }), { maxLength: 60 })
    .map((levels) => levels.toSorted((one, other) => one.measuredAt - other.measuredAt)),
  runtimes: fc
    .array(fc.record({ milliseconds: number(0, 86_400_000), measuredAt: minutesFromNoon(-120, 1440) }), {
      maxLength: 30,
    })
    .map((runtimes) => runtimes.toSorted((one, other) => one.measuredAt - other.measuredAt)),
  stops: fc.array(
    fc
      .tuple(minutesFromNoon(0, 1440), fc.nat(600))
      .map(([from, length]) => ({ from, to: from + length * 60_000 })),
    { maxLength: 4 },
  ),
})

/** Any facts about a purchase at noon. */
export const facts: fc.Arbitrary<PurchaseFacts> = fc.record({
  purchase: fc.record({
    purchasedAt: fc.constant(NOON),
    vehicleId: fc.constant('vcl_1'),
    driverId: orNull(driverId),
    cardId: orNull(fc.constant('card')),
    place: orNull(place),
    isAddressWrong: fc.boolean(),
    liters: orNull(liters),
    product,
    authorizationCheckId: fc.constant(null),
  }),
  vehicle: orNull(
    fc.record({
      isActive: fc.boolean(),
      isConnected: fc.boolean(),
      isHidden: fc.boolean(),
      timeZone: orNull(fc.constantFrom('America/Chicago', 'Asia/Kolkata')),
      fuelType: orNull(fuelType),
      capacityLiters: orNull(number(20, 1200)),
      capacitySource: fc.constant(null),
      learntLiters: orNull(liters),
      levelProblem: fc.constantFrom(null, 'The sensor may be broken.'),
      capacityProblem: fc.constantFrom(null, 'The capacity may be wrong.'),
    }),
  ),
  position: orNull(
    fc.record({
      point,
      locatedAt: time,
      receivedAt: time,
      speedKmh: orNull(number(0, 130)),
      engineState: orNull(fc.constantFrom('on', 'off', 'idle')),
      driverId: orNull(driverId),
    }),
  ),
  jurisdiction: orNull(fc.record({ code: fc.constant('TX'), kilometersAway: orNull(number(0, 200)) })),
  fuelLevel: orNull(fc.record({ percent: number(0, 100), measuredAt: time.map((at) => Math.min(at, NOON)) })),
  others: orNull(fc.array(other, { maxLength: 8 })),
  refill: orNull(refill),
})

/** Paths of the facts that can be missing. Without a product, the liters count as fuel, so it is not one of them. */
export const optionalFacts: readonly (readonly string[])[] = [
  ['purchase', 'driverId'],
  ['purchase', 'place'],
  ['purchase', 'liters'],
  ['vehicle'],
  ['vehicle', 'fuelType'],
  ['vehicle', 'capacityLiters'],
  ['position'],
  ['position', 'speedKmh'],
  ['position', 'engineState'],
  ['position', 'driverId'],
  ['jurisdiction'],
  ['jurisdiction', 'kilometersAway'],
  ['fuelLevel'],
  ['others'],
  ['refill'],
]

/** Returns the facts without the one at a path. */
export function withoutFact(all: PurchaseFacts, [name = '', member]: readonly string[]): PurchaseFacts {
  if (member === undefined) return { ...all, [name]: null }
  const part = all[name as keyof PurchaseFacts]
  return part === null ? all : { ...all, [name]: { ...part, [member]: null } }
}
