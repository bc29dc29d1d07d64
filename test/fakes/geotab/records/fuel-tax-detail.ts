import type { Ms } from '../../world/truth.ts'
import type { Search } from '../ledger/entity-store.ts'
import { type Listed, SnapshotShelf } from '../ledger/snapshots.ts'
import { HOUR } from '../times.ts'
import { dateTime, degrees, deviceId, type Entity, longId, rounded, versionText } from '../formats.ts'
import { deviceReference, type Fleet } from '../fleet/fleet.ts'
import { endOf, hoursWithin, type Leg, odometerAt, startOf } from '../fleet/fuel-tax-legs.ts'

/** Fuel tax details. Searches round to whole hours and cut records there, unless boundaries are requested. */
export class FuelTaxDetails extends SnapshotShelf {
  constructor(private readonly fleet: Fleet) {
    super(() =>
      fleet.legs().map((leg): Listed => [idOf(leg), (version) => toDetail(fleet, leg, whole(leg), version)]),
    )
  }

  override *all({ device, from = -Infinity, to = Infinity, ...search }: Search): Iterable<Entity> {
    const [start, end] = [Math.floor(from / HOUR) * HOUR, Math.ceil(to / HOUR) * HOUR]
    for (const leg of this.fleet.legs()) {
      if (device !== undefined && deviceId(leg.vehicle) !== device) continue
      if (startOf(leg) >= end || endOf(leg) <= start) continue
      const cut = { from: Math.max(startOf(leg), start), to: Math.min(endOf(leg), end), isHourly: true }
      const reported = search.includeBoundaries === true ? whole(leg) : cut
      yield toDetail(this.fleet, leg, { ...reported, isHourly: search.includeHourlyData === true }, 0)
    }
  }
}

interface Section {
  readonly from: Ms
  readonly to: Ms
  readonly isHourly: boolean
}

const whole = (leg: Leg): Section => ({ from: startOf(leg), to: endOf(leg), isHourly: true })

const idOf = (leg: Leg): string => longId('fuel tax', leg.vehicle, startOf(leg), leg.jurisdiction)

/** Returns kilometers. */
const shownAt = (leg: Leg, at: Ms): number => rounded(odometerAt(leg, at) / 1000, 6)

function toDetail(fleet: Fleet, leg: Leg, { from, to, isHourly }: Section, version: number): Entity {
  const hours = isHourly ? hoursWithin(from, to) : []
  const hourly = hours.map((at) => shownAt(leg, at))
  const { enter, exit } = leg
  return {
    authority: 'None',
    device: deviceReference(leg.vehicle),
    driver: fleet.driverReference(null),
    enterGpsOdometer: shownAt(leg, from),
    enterLatitude: degrees(enter.latitude),
    enterLongitude: degrees(enter.longitude),
    enterOdometer: shownAt(leg, from),
    enterTime: dateTime(from),
    exitGpsOdometer: shownAt(leg, to),
    exitLatitude: degrees(exit.latitude),
    exitLongitude: degrees(exit.longitude),
    exitOdometer: shownAt(leg, to),
    exitTime: dateTime(to),
    hasHourlyData: hours.length > 0,
    hourlyGpsOdometer: hourly,
    hourlyIsOdometerInterpolated: hours.map(() => true),
    hourlyLatitude: hours.map(() => degrees(enter.latitude)),
    hourlyLongitude: hours.map(() => degrees(enter.longitude)),
    hourlyOdometer: hourly,
    id: idOf(leg),
    isClusterOdometer: false,
    isEnterOdometerInterpolated: from !== startOf(leg),
    isExitOdometerInterpolated: to !== endOf(leg),
    isNegligible: false,
    jurisdiction: leg.jurisdiction,
    versions: [versionText(version)],
  }
}
