import { describe, expect, test } from 'vitest'
import { callGeotab } from '../../../fakes/geotab/caller.ts'
import { compare } from '../../../fakes/geotab/compare.ts'
import { at } from '../../../fakes/geotab/reader.ts'
import { type Entity } from '../../../fakes/geotab/formats.ts'

describe('a simple reader reconstructs the truth', () => {
  test.each(['entity', 'devices', 'both'] as const)('of the roster, with trailers as: %s', (trailers) => {
    const caller = callGeotab({ vehicles: 40, days: 40, switches: { trailers } })
    const until = ({ activeTo }: Entity) =>
      at(activeTo) === at('2050-01-01T00:00:00Z') ? null : at(activeTo)
    const groupsOf = (value: unknown) => (value as Entity[]).map(({ id }) => id)
    const devices = caller.get('Device')
    const vehicles = devices
      .filter(({ deviceType }) => deviceType !== 'None')
      .map((device) => ({
        sourceId: device['id'],
        deletedAt: until(device),
        vin:
          [device['vehicleIdentificationNumber'], device['engineVehicleIdentificationNumber']].find((vin) =>
            /^\w{17}$/.test(String(vin)),
          ) ?? null,
        name: device['name'],
        groupSourceIds: groupsOf(device['groups']),
        fuelTankCapacityLiters: device['fuelTankCapacity'] || null,
        licensePlate: { state: device['licenseState'], number: device['licensePlate'] },
      }))
    compare(vehicles, caller.truth('Vehicle'))
    const drivers = caller.get('User', { search: { isDriver: true } }).map((user) => ({
      sourceId: user['id'],
      deletedAt: until(user),
      lastName: user['lastName'],
      username: user['name'],
      email: String(user['name']).includes('@') ? user['name'] : null,
      phone: String(user['phoneNumber'])
        .replace(/[^+\d]/g, '')
        .replace(/^\+?1?(\d{10})$/, '+1$1'),
      groupSourceIds: groupsOf(user['driverGroups']),
    }))
    compare(drivers, caller.truth('Driver'))
    const parents = new Map(
      caller.get('Group').flatMap(({ id, children }) => groupsOf(children).map((child) => [child, id])),
    )
    const groups = caller
      .get('Group')
      .map(({ id, name }) => ({ sourceId: id, name, parentSourceId: parents.get(id) ?? null }))
    compare(groups, caller.truth('Group'))
    const listed =
      trailers === 'devices'
        ? devices.filter(({ tmpTrailerId }) => tmpTrailerId !== undefined)
        : caller.get('Trailer')
    compare(
      listed.map(({ id, name }) => ({ sourceId: id, name })),
      caller.truth('Trailer'),
    )
    expect(vehicles.some(({ deletedAt }) => deletedAt !== null)).toBe(true)
  })
})
