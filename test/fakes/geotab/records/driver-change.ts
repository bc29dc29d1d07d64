import type { Ms } from '../../world/truth.ts'
import { versionsAt } from '../stores/timed-record-store.ts'
import type { EntityVersion } from '../stores/version-log.ts'
import { dateTime, type Entity, longId, versionText } from '../formats.ts'
import { deviceReference, type Fleet } from '../fleet/fleet.ts'

/** Returns the changes of a vehicle's driver, also to an unknown driver. */
export function driverChangeVersions(fleet: Fleet, since: Ms, until: Ms): EntityVersion[] {
  return fleet.vehicleNumbers().flatMap((vehicle) => {
    const trips = fleet.world.trips(vehicle, fleet.world.startsAt, until + 1)
    const changes = trips.filter(({ driver }, index) => index === 0 || driver !== trips[index - 1]?.driver)
    return changes.flatMap(({ number, driver, startedAt, arrivedAt, updatedAt }) => {
      const id = longId('driver change', number)
      const toEntity = (version: number): Entity => ({
        dateTime: dateTime(startedAt),
        device: deviceReference(vehicle),
        driver: fleet.driverReference(driver),
        id,
        type: driver === null ? 'None' : 'Driver',
        version: versionText(version),
      })
      return versionsAt([arrivedAt, updatedAt], since, until, id, toEntity)
    })
  })
}
