import type { JurisdictionDistance, Ms, Place, Trip, World } from '../../world/truth.ts'
import { HOUR, monthAfter, monthsBetween, startOfDate } from '../times.ts'

/** A period of constant speed. */
interface Piece {
  readonly from: Ms
  readonly to: Ms
  readonly fromMeters: number
  readonly toMeters: number
}

/** A vehicle's travel in one jurisdiction until it enters another. It can cross the end of a month. */
export interface Leg {
  readonly vehicle: number
  readonly jurisdiction: string
  readonly pieces: readonly [Piece, ...Piece[]]
  /** Last positions before the vehicle enters and leaves the jurisdiction. */
  readonly enter: Place
  readonly exit: Place
}

/** Returns the legs of all vehicles since the start of the fleet. They have no gaps and change at whole hours. */
export function legsOf(world: World): Leg[] {
  const months = monthsBetween(world.startsAt, world.now, world.account.timeZone)
  const byVehicle = new Map<number, JurisdictionDistance[]>()
  for (const distance of months.flatMap((month) => world.jurisdictionDistances(month)))
    byVehicle.set(distance.vehicle, [...(byVehicle.get(distance.vehicle) ?? []), distance])
  return [...byVehicle].flatMap(([vehicle, driven]) => {
    const legs: Leg[] = []
    const trips = world.trips(vehicle, world.startsAt, world.now + 1)
    let meters = trips[0]?.startOdometerMeters ?? 0
    for (const month of months) {
      const metersIn = new Map(
        driven.filter((each) => each.month === month).map((each) => [each.jurisdiction, each.meters]),
      )
      const order = inOrder([...metersIn.keys()], legs.at(-1)?.jurisdiction)
      const times = timesOf(month, order.length, world)
      order.forEach((jurisdiction, index) => {
        const [from, to] = [times[index] as Ms, times[index + 1] as Ms]
        const toMeters = meters + (metersIn.get(jurisdiction) as number)
        const places = { enter: placeAt(trips, from), exit: placeAt(trips, to) }
        const piece = { from, to, fromMeters: meters, toMeters }
        add(legs, { vehicle, jurisdiction, pieces: [piece], ...places })
        meters = toMeters
      })
    }
    return legs
  })
}

/** Sorts jurisdictions. The last one of the previous month comes first. */
function inOrder(jurisdictions: readonly string[], last: string | undefined): string[] {
  const sorted = jurisdictions.toSorted()
  return last !== undefined && sorted.includes(last)
    ? [last, ...sorted.filter((each) => each !== last)]
    : sorted
}

function timesOf(month: string, count: number, { startsAt, now, account }: World): Ms[] {
  const start = Math.max(startOfDate(`${month}-01`, account.timeZone), Math.floor(startsAt / HOUR) * HOUR)
  const end = Math.min(startOfDate(`${monthAfter(month)}-01`, account.timeZone), Math.ceil(now / HOUR) * HOUR)
  const hours = Math.max(0, (end - start) / HOUR)
  return Array.from(
    { length: count + 1 },
    (_, index) => start + Math.round((hours * index) / Math.max(1, count)) * HOUR,
  )
}

function placeAt(trips: readonly Trip[], at: Ms): Place {
  return (
    trips.findLast(({ startedAt }) => startedAt < at)?.end ?? trips[0]?.start ?? { latitude: 0, longitude: 0 }
  )
}

function add(legs: Leg[], leg: Leg): void {
  const last = legs.at(-1)
  if (last?.jurisdiction !== leg.jurisdiction) legs.push(leg)
  else legs[legs.length - 1] = { ...last, pieces: [...last.pieces, ...leg.pieces], exit: leg.exit }
}

export const startOf = ({ pieces }: Leg): Ms => pieces[0].from
export const endOf = ({ pieces }: Leg): Ms => (pieces.at(-1) as Piece).to

/** Returns the odometer in meters at a time of a leg. */
export function odometerAt({ pieces }: Leg, at: Ms): number {
  const piece = pieces.find(({ to }) => at <= to) ?? (pieces.at(-1) as Piece)
  const share = piece.to === piece.from ? 1 : (at - piece.from) / (piece.to - piece.from)
  return piece.fromMeters + Math.min(1, Math.max(0, share)) * (piece.toMeters - piece.fromMeters)
}

export function hoursWithin(from: Ms, to: Ms): Ms[] {
  const hours: Ms[] = []
  for (let at = Math.floor(from / HOUR + 1) * HOUR; at < to; at += HOUR) hours.push(at)
  return hours
}
