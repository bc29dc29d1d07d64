import { kilometersBetween } from '../../../src/domain/geodesy.ts'
import type { Point } from '../../../src/domain/models/point.ts'
import type { Instant } from '../../../src/domain/time.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/providers/sandbox/simulator/world/durations.ts'
import { CORRIDORS, pointAt } from '../../../src/providers/sandbox/simulator/world/road-network/corridors.ts'
import type { TimedLeg } from '../../../src/providers/sandbox/simulator/world/vehicle-route.ts'
import { FuelProduct } from '../../../src/subgraphs/purchases/fuel-product.ts'
import { Draws } from './draws.ts'
import { type Station, stationAt } from './merchants.ts'
import type { SimulatedVehicle } from './simulated-vehicle.ts'

export const theftKinds = [
  'far from the vehicle',
  'two places at once',
  'more than the tank holds',
  'filled into cans',
  'wrong product',
  'siphoned',
  'shared card',
] as const

export type TheftKind = (typeof theftKinds)[number]

/** A theft. The service never sees it. */
interface Theft {
  readonly kind: TheftKind
  /** Whether the data that the service stores can show the theft at all. */
  readonly isVisible: boolean
  /** An honest purchase that the fuel level does not tell apart from the theft: a flag of either shows it. */
  readonly twin?: SimulatedPurchase
}

/** A purchase as it happens: it is authorized at once, and captured later. */
export interface SimulatedPurchase {
  readonly at: Instant
  readonly capturedAt: Instant
  readonly station: Station
  readonly liters: number
  readonly product: FuelProduct
  /** Whether the fuel has flowed when the card is authorized, so that its liters are known. */
  readonly isCounted: boolean
  readonly namesDriver: boolean
  /** Null for an honest purchase. */
  readonly theft: Theft | null
}

const PRICE_OF_LITER = 1.05
const LARGE_SHARE = 0.2
/** Share of the fills that a thief uses. */
const THEFT_SHARE = 0.06

export const amountOf = (liters: number): number => Math.round(liters * PRICE_OF_LITER * 100) / 100

/** Returns the purchases of a vehicle after a time, with a number of them from a later time on, and siphons its tank where a theft says so. */
export function purchasesOf(
  vehicle: SimulatedVehicle,
  {
    from,
    countedFrom,
    count,
  }: { readonly from: Instant; readonly countedFrom: Instant; readonly count: number },
): SimulatedPurchase[] {
  const draws = new Draws(vehicle.route.fleet.seed + 1, vehicle.route.vehicle)
  const purchases: SimulatedPurchase[] = []
  const isCounted = ({ at }: SimulatedPurchase) => at >= countedFrom
  for (
    let leg = vehicle.legAfter(from);
    purchases.filter(isCounted).length < count;
    leg = vehicle.nextLeg(leg)
  )
    purchases.push(...purchasesAfter(vehicle, leg, draws))
  return purchases.toSorted((one, other) => one.at - other.at)
}

/** Returns the purchases that begin with the refill after a leg. */
function purchasesAfter(vehicle: SimulatedVehicle, leg: TimedLeg, draws: Draws): SimulatedPurchase[] {
  const liters = vehicle.refillAfter(leg)
  if (liters < 0.05 * vehicle.capacityLiters) return []
  const at = vehicle.refilledAt(leg) - Math.floor(draws.between(1, 6) * MINUTE_MS)
  const fill = purchase(draws, {
    at,
    station: stationAt(vehicle.pointAt(at)),
    liters: liters * draws.between(0.997, 1.003),
    product: fuelOf(vehicle),
  })
  if (!draws.chance(THEFT_SHARE)) return [fill, ...otherProducts(draws, fill)]
  return thefts[draws.pick(theftKinds)]({ vehicle, leg, draws, fill })
}

const fuelOf = ({ model }: SimulatedVehicle): FuelProduct =>
  model.fuelType === 'gasoline' ? FuelProduct.GASOLINE : FuelProduct.DIESEL

/** Trucks also buy exhaust fluid, and fuel for their trailers. */
function otherProducts(draws: Draws, fill: SimulatedPurchase): SimulatedPurchase[] {
  if (fill.product !== FuelProduct.DIESEL) return []
  const share = draws.next()
  if (share > 0.07) return []
  const product = share < 0.05 ? FuelProduct.DEF : FuelProduct.DYED_DIESEL
  return [purchase(draws, { ...fill, at: fill.at + 4 * MINUTE_MS, liters: draws.between(20, 60), product })]
}

const purchase = (
  draws: Draws,
  { at, station, liters, product }: Pick<SimulatedPurchase, 'at' | 'station' | 'liters' | 'product'>,
): SimulatedPurchase => ({
  at,
  station,
  product,
  liters: Math.round(liters * 100) / 100,
  capturedAt: at + Math.floor(draws.magnitude(0.5, draws.chance(0.03) ? 120 : 48) * HOUR_MS),
  isCounted: draws.chance(0.15),
  namesDriver: draws.chance(0.5),
  theft: null,
})

interface Opportunity {
  readonly vehicle: SimulatedVehicle
  /** The leg before the fill. */
  readonly leg: TimedLeg
  readonly draws: Draws
  readonly fill: SimulatedPurchase
}

/** Whether the level of the vehicle can show fuel that is missing. */
const hasLevel = ({ sensor, listedLiters, capacityLiters }: SimulatedVehicle): boolean =>
  sensor === 'good' && listedLiters === capacityLiters

const isLarge = (liters: number, { capacityLiters }: SimulatedVehicle): boolean =>
  liters > LARGE_SHARE * capacityLiters

const stolen = (
  fill: SimulatedPurchase,
  theft: Theft,
  values: Partial<SimulatedPurchase> = {},
): SimulatedPurchase => Object.assign({}, fill, values, { theft })

/** Purchases of each kind of theft. If the vehicle gives no opportunity, the thief buys more than the tank holds. */
const thefts: Readonly<Record<TheftKind, (opportunity: Opportunity) => SimulatedPurchase[]>> = {
  'far from the vehicle'({ vehicle, draws, fill }) {
    const at = fill.at + Math.floor(draws.between(1, 24) * HOUR_MS)
    const station = stationAt(awayFrom(vehicle.pointAt(at), draws))
    const kilometers = kilometersBetween(vehicle.pointAt(at), station.point)
    const isVisible = vehicle.isOnlineAt(at) && kilometers > widthOf(station)
    const liters = draws.between(40, 90)
    return [
      fill,
      stolen(purchase(draws, { ...fill, at, station, liters }), { kind: 'far from the vehicle', isVisible }),
    ]
  },
  'two places at once'({ draws, fill }) {
    const minutes = draws.between(3, 40)
    const at = fill.at + Math.floor(minutes * MINUTE_MS)
    const station = stationAt(awayFrom(fill.station.point, draws))
    const kilometers = kilometersBetween(fill.station.point, station.point)
    const isVisible = kilometers > widthOf(station) + widthOf(fill.station) + 2 * minutes
    const liters = draws.between(40, 90)
    return [
      fill,
      stolen(purchase(draws, { ...fill, at, station, liters }), { kind: 'two places at once', isVisible }),
    ]
  },
  'more than the tank holds'({ vehicle, draws, fill }) {
    const extra = draws.between(0.05, 0.6) * vehicle.capacityLiters
    const isVisible = hasLevel(vehicle) && isLarge(extra, vehicle)
    const liters = Math.round((fill.liters + extra) * 100) / 100
    return [stolen(fill, { kind: 'more than the tank holds', isVisible }, { liters })]
  },
  'filled into cans'(opportunity) {
    const { vehicle, leg, draws, fill } = opportunity
    const last = legBeforeRefill(vehicle, leg)
    const at = last.endMs + 5 * MINUTE_MS
    const room = ((98 - vehicle.levelAt(at)) / 100) * vehicle.capacityLiters
    if (last === leg || room < 0.1 * vehicle.capacityLiters)
      return thefts['more than the tank holds'](opportunity)
    const liters = draws.between(0.1, Math.min(0.45, room / vehicle.capacityLiters)) * vehicle.capacityLiters
    const station = stationAt(vehicle.pointAt(at))
    const isVisible = hasLevel(vehicle) && isLarge(liters, vehicle)
    return [
      fill,
      stolen(purchase(draws, { ...fill, at, station, liters }), { kind: 'filled into cans', isVisible }),
    ]
  },
  'wrong product'({ draws, fill }) {
    const product = fill.product === FuelProduct.DIESEL ? FuelProduct.GASOLINE : FuelProduct.DIESEL
    const other = purchase(draws, {
      ...fill,
      at: fill.at + 5 * MINUTE_MS,
      product,
      liters: draws.between(30, 60),
    })
    return [fill, stolen(other, { kind: 'wrong product', isVisible: true })]
  },
  siphoned(opportunity) {
    const { vehicle, fill } = opportunity
    const drop = siphon(opportunity)
    if (drop === null) return thefts['more than the tank holds'](opportunity)
    const isVisible = hasLevel(vehicle) && vehicle.sendsWhileOff === 'levels' && drop > 100 * LARGE_SHARE
    return [stolen(fill, { kind: 'siphoned', isVisible })]
  },
  'shared card'({ vehicle, draws, fill }) {
    const at = fill.at + Math.floor(draws.between(10, 60) * MINUTE_MS)
    const liters = draws.between(0.1, 0.8) * vehicle.capacityLiters
    const isVisible = hasLevel(vehicle) && isLarge(liters, vehicle)
    return [
      fill,
      stolen(purchase(draws, { ...fill, at, liters }), { kind: 'shared card', isVisible, twin: fill }),
    ]
  },
}

/** Takes fuel out of the tank in a long stop within a day of a fill. Returns the percent; null if there is no such stop. */
function siphon({ vehicle, leg, draws, fill }: Opportunity): number | null {
  for (let last = leg; last.endMs < fill.at + 18 * HOUR_MS; last = vehicle.nextLeg(last)) {
    if (last !== leg && vehicle.refillAfter(last) > 0) return null
    const next = vehicle.nextLeg(last)
    const at = Math.max(fill.at + 2 * HOUR_MS, last.endMs + (next.startMs - last.endMs) / 3)
    if (next.startMs - at < 3 * HOUR_MS || at > fill.at + 20 * HOUR_MS) continue
    const refilled = nextRefill(vehicle, last, at)
    const spare = vehicle.levelAt(refilled - 1) - 5
    if (spare < 10) continue
    const percent = draws.between(10, Math.min(45, spare))
    vehicle.siphonings.push({ at, until: refilled, percent })
    return percent
  }
  return null
}

/** Returns the last leg after a refill whose stop is not used for the next one. */
function legBeforeRefill(vehicle: SimulatedVehicle, refilled: TimedLeg): TimedLeg {
  let leg = refilled
  for (let next = vehicle.nextLeg(leg); vehicle.refillAfter(next) === 0; next = vehicle.nextLeg(leg))
    leg = next
  return leg
}

function nextRefill(vehicle: SimulatedVehicle, after: TimedLeg, at: Instant): Instant {
  let leg = after
  while (vehicle.refilledAt(leg) <= at || vehicle.refillAfter(leg) === 0) leg = vehicle.nextLeg(leg)
  return vehicle.refilledAt(leg)
}

/** Returns a point on a road, from near to the other end of the continent. */
function awayFrom({ latitude, longitude }: Point, draws: Draws): Point {
  if (draws.chance(0.5)) {
    const corridor = draws.pick(CORRIDORS)
    const { lat, lng } = pointAt(corridor, draws.between(0, corridor.places.at(-1)!.mile))
    return { latitude: lat, longitude: lng }
  }
  const [degrees, angle] = [draws.magnitude(5, 500) / 111, draws.between(0, 2 * Math.PI)]
  return { latitude: latitude + degrees * Math.sin(angle), longitude: longitude + degrees * Math.cos(angle) }
}

/** Returns how far the place that the network reports may be from the station, in kilometers; infinite if it has none. */
const widthOf = ({ reported }: Station): number => WIDTH_KM[reported]

const WIDTH_KM: Readonly<Record<Station['reported'], number>> = {
  coordinates: 35,
  'postal code': 80,
  city: 130,
  state: Number.POSITIVE_INFINITY,
  'head office': Number.POSITIVE_INFINITY,
}
