import type { Ms } from '../../world/truth.ts'
import type { Search } from '../stores/entity-store.ts'
import { type ListedEntity, SnapshotStore } from '../stores/snapshot-store.ts'
import { HOUR } from '../times.ts'
import { dateTime, degrees, deviceId, type Entity, longId, rounded, versionText } from '../formats.ts'
import { deviceReference, type Fleet } from '../fleet/fleet.ts'
import { endOf, hoursWithin, type Leg, odometerAt, startOf } from '../fleet/fuel-tax-legs.ts'

/** Fuel tax details. A search cuts records at whole hours, unless it requests boundaries. */
export class FuelTaxDetails extends SnapshotStore {
  constructor(private readonly fleet: Fleet) {
    super(() =>
      fleet
        .legs()
        .map((leg): ListedEntity => [idOf(leg), (version) => toDetail(fleet, leg, wholeLeg(leg), version)]),
    )
  }

  override *all({ device, from = -Infinity, to = Infinity, ...search }: Search): Iterable<Entity> {
    const [start, end] = [Math.floor(from / HOUR) * HOUR, Math.ceil(to / HOUR) * HOUR]
    for (const leg of this.fleet.legs()) {
      if (device !== undefined && deviceId(leg.vehicle) !== device) continue
      if (startOf(leg) >= end || endOf(leg) <= start) continue
      const cut = { from: Math.max(startOf(leg), start), to: Math.min(endOf(leg), end), isHourly: true }
      const reported = search.includeBoundaries === true ? wholeLeg(leg) : cut
      yield toDetail(this.fleet, leg, { ...reported, isHourly: search.includeHourlyData === true }, 0)
    }
  }
}

interface Section {
  readonly from: Ms
  readonly to: Ms
  readonly isHourly: boolean
}

const wholeLeg = (leg: Leg): Section => ({ from: startOf(leg), to: endOf(leg), isHourly: true })

const idOf = (leg: Leg): string => longId('fuel tax', leg.vehicle, startOf(leg), leg.jurisdiction)

const kilometersAt = (leg: Leg, at: Ms): number => rounded(odometerAt(leg, at) / 1000, 6)

function toDetail(fleet: Fleet, leg: Leg, { from, to, isHourly }: Section, version: number): Entity {
  const hours = isHourly ? hoursWithin(from, to) : []
  const hourly = hours.map((at) => kilometersAt(leg, at))
  const { enter, exit } = leg
  return {
    authority: 'None',
    device: deviceReference(leg.vehicle),
    driver: fleet.driverReference(null),
    enterGpsOdometer: kilometersAt(leg, from),
    enterLatitude: degrees(enter.latitude),
    enterLongitude: degrees(enter.longitude),
    enterOdometer: kilometersAt(leg, from),
    enterTime: dateTime(from),
    exitGpsOdometer: kilometersAt(leg, to),
    exitLatitude: degrees(exit.latitude),
    exitLongitude: degrees(exit.longitude),
    exitOdometer: kilometersAt(leg, to),
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
