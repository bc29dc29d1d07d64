import { DAY_MS, MINUTE_MS } from '../world/durations.ts'
import { hashText } from '../world/random.ts'
import type { TimedLeg } from '../world/vehicle-route.ts'
import { Draws } from './draws.ts'
import type { FueledVehicle } from './fueled-vehicle.ts'
import { drawPurchase, type SimulatedPurchase, theftKinds, type TheftKind } from './simulated-purchase.ts'
import { stationAt } from './stations.ts'
import { thefts } from './thefts.ts'

/** Share of the fills that a thief uses. */
export const THEFT_SHARE = 0.06
/** Time after a leg within which the thefts of its fill happen. */
const LAST_THEFT_MS = 7 * DAY_MS

interface Thieves {
  /** Share of the fills that a thief uses. */
  readonly share: number
  readonly kinds: readonly TheftKind[]
}

/** Thieves of all kinds. */
export const allThieves: Thieves = { share: THEFT_SHARE, kinds: theftKinds }
/** Thieves who leave the fuel levels as they are: the simulated provider reports no siphoned tank. */
export const thievesAtPumps = (share: number): Thieves => ({
  share,
  kinds: theftKinds.filter((kind) => kind !== 'siphoned'),
})

interface Period {
  readonly from: number
  readonly until: number
}

/**
 * Returns the purchases of a vehicle in a period, by time. Each depends on its leg alone, so that a longer period has
 * the same ones.
 */
export function purchasesIn(
  vehicle: FueledVehicle,
  { from, until }: Period,
  thieves: Thieves,
): SimulatedPurchase[] {
  const { fleet, vehicle: index } = vehicle.route
  const purchases: SimulatedPurchase[] = []
  for (let leg = vehicle.legAfter(from - LAST_THEFT_MS); leg.endMs < until; leg = vehicle.nextLeg(leg)) {
    const draws = new Draws(hashText(fleet.seed, 'purchases'), hashText(index, String(leg.number)))
    purchases.push(...purchasesAfter(vehicle, leg, draws, thieves))
  }
  return purchases.filter(({ at }) => at >= from && at < until).toSorted((one, other) => one.at - other.at)
}

/** Returns the purchases that begin with the refill after a leg. Siphons the tank where a theft says so. */
export function purchasesAfter(
  vehicle: FueledVehicle,
  leg: TimedLeg,
  draws: Draws,
  { share, kinds }: Thieves,
): SimulatedPurchase[] {
  const liters = vehicle.refillAfter(leg)
  if (liters < 0.05 * vehicle.capacityLiters) return []
  const at = vehicle.refilledAt(leg) - Math.floor(draws.between(1, 6) * MINUTE_MS)
  const fill = drawPurchase(draws, {
    at,
    station: stationAt(vehicle.pointAt(at)),
    liters: liters * draws.between(0.997, 1.003),
    product: vehicle.model.fuelType === 'gasoline' ? 'gasoline' : 'diesel',
  })
  if (!draws.chance(share)) return [fill, ...otherProducts(draws, fill)]
  return thefts[draws.pick(kinds)]({ vehicle, leg, draws, fill })
}

/** Trucks also buy exhaust fluid, and fuel for their trailers. */
function otherProducts(draws: Draws, fill: SimulatedPurchase): SimulatedPurchase[] {
  if (fill.product !== 'diesel') return []
  const share = draws.next()
  if (share > 0.07) return []
  const product = share < 0.05 ? 'def' : 'dyed_diesel'
  return [
    drawPurchase(draws, { ...fill, at: fill.at + 4 * MINUTE_MS, liters: draws.between(20, 60), product }),
  ]
}
