import { HOUR_MS, MINUTE_MS } from '../world/durations.ts'
import { CORRIDORS, pointAt } from '../world/road-network/corridors.ts'
import { kilometersBetween, type Point } from '../world/road-network/geometry.ts'
import type { TimedLeg } from '../world/vehicle-route.ts'
import type { Draws } from './draws.ts'
import type { FueledVehicle } from './fueled-vehicle.ts'
import { drawPurchase, type SimulatedPurchase, type Theft, type TheftKind } from './simulated-purchase.ts'
import { type Station, stationAt } from './stations.ts'

interface Opportunity {
  readonly vehicle: FueledVehicle
  /** The leg before the fill. */
  readonly leg: TimedLeg
  readonly draws: Draws
  readonly fill: SimulatedPurchase
}

/** Share of the capacity above which a fuel level shows that fuel is missing. */
const LARGE_SHARE = 0.2

const isLarge = (liters: number, { capacityLiters }: FueledVehicle): boolean =>
  liters > LARGE_SHARE * capacityLiters

const stolen = (
  fill: SimulatedPurchase,
  theft: Theft,
  values: Partial<SimulatedPurchase> = {},
): SimulatedPurchase => Object.assign({}, fill, values, { theft })

/** Purchases of each kind of theft. If the vehicle gives no opportunity, the thief buys more than the tank holds. */
export const thefts: Readonly<Record<TheftKind, (opportunity: Opportunity) => SimulatedPurchase[]>> = {
  'far from the vehicle'({ vehicle, draws, fill }) {
    const at = fill.at + Math.floor(draws.between(1, 24) * HOUR_MS)
    const station = stationAt(awayFrom(vehicle.pointAt(at), draws))
    const kilometers = kilometersBetween(vehicle.pointAt(at), station.point)
    const isVisible = vehicle.isOnlineAt(at) && kilometers > widthOf(station)
    const liters = draws.between(40, 90)
    return [
      fill,
      stolen(drawPurchase(draws, { ...fill, at, station, liters }), {
        kind: 'far from the vehicle',
        isVisible,
      }),
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
      stolen(drawPurchase(draws, { ...fill, at, station, liters }), {
        kind: 'two places at once',
        isVisible,
      }),
    ]
  },
  'more than the tank holds'({ vehicle, draws, fill }) {
    const extra = draws.between(0.05, 0.6) * vehicle.capacityLiters
    const isVisible = vehicle.hasReliableLevel && isLarge(extra, vehicle)
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
    const isVisible = vehicle.hasReliableLevel && isLarge(liters, vehicle)
    return [
      fill,
      stolen(drawPurchase(draws, { ...fill, at, station, liters }), { kind: 'filled into cans', isVisible }),
    ]
  },
  'wrong product'({ draws, fill }) {
    const product = fill.product === 'diesel' ? 'gasoline' : 'diesel'
    const other = drawPurchase(draws, {
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
    const isVisible = vehicle.hasReliableLevel && vehicle.sendsLevelWhileOff && drop > 100 * LARGE_SHARE
    return [stolen(fill, { kind: 'siphoned', isVisible })]
  },
  'shared card'({ vehicle, draws, fill }) {
    const at = fill.at + Math.floor(draws.between(10, 60) * MINUTE_MS)
    const liters = draws.between(0.1, 0.8) * vehicle.capacityLiters
    const isVisible = vehicle.hasReliableLevel && isLarge(liters, vehicle)
    return [
      fill,
      stolen(drawPurchase(draws, { ...fill, at, liters }), { kind: 'shared card', isVisible, twin: fill }),
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
function legBeforeRefill(vehicle: FueledVehicle, refilled: TimedLeg): TimedLeg {
  let leg = refilled
  for (let next = vehicle.nextLeg(leg); vehicle.refillAfter(next) === 0; next = vehicle.nextLeg(leg))
    leg = next
  return leg
}

function nextRefill(vehicle: FueledVehicle, after: TimedLeg, at: number): number {
  let leg = after
  while (vehicle.refilledAt(leg) <= at || vehicle.refillAfter(leg) === 0) leg = vehicle.nextLeg(leg)
  return vehicle.refilledAt(leg)
}

/** Returns a point on a road, or up to 500 km away. */
function awayFrom({ lat, lng }: Point, draws: Draws): Point {
  if (draws.chance(0.5)) {
    const corridor = draws.pick(CORRIDORS)
    return pointAt(corridor, draws.between(0, corridor.places.at(-1)!.mile))
  }
  const [degrees, angle] = [draws.magnitude(5, 500) / 111, draws.between(0, 2 * Math.PI)]
  return { lat: lat + degrees * Math.sin(angle), lng: lng + degrees * Math.cos(angle) }
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
