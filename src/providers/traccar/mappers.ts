import type { z } from 'zod'
import { knotsToKilometersPerHour, metersToKilometers, rounded } from '../../domain/units.ts'
import type { Point } from '../../domain/models/point.ts'
import type { NormalizedDevice } from '../../domain/models/device.ts'
import type { NormalizedDriver } from '../../domain/models/driver.ts'
import type { NormalizedGroup } from '../../domain/models/group.ts'
import type { NormalizedTrip } from '../../domain/models/trip.ts'
import type { NormalizedLatestLocation, NormalizedLocation } from '../../domain/models/vehicle-location.ts'
import type { NormalizedVehicle } from '../../domain/models/vehicle.ts'
import { normalizePhone } from '../mapping/phone-numbers.ts'
import { tripDuration } from '../mapping/trip-duration.ts'
import { validCoordinates } from '../mapping/valid-coordinates.ts'
import { toLicense } from '../mapping/license.ts'
import { fuelTypes, numberIn, textIn } from './attributes.ts'
import type * as records from './schemas.ts'

/** Traccar has no creation or update time. */
const UNDATED = { createdAt: null, updatedAt: null } as const

export const sourceIdOf = (id: number): string => String(id)

const referenceOf = (id: number | null): string | null => (id === null ? null : sourceIdOf(id))

export const toGroup = ({ id, name, groupId }: z.infer<typeof records.group>): NormalizedGroup => ({
  ...UNDATED,
  sourceId: sourceIdOf(id),
  name,
  description: null,
  parentSourceId: referenceOf(groupId),
})

/**
 * Maps a driver. Its source id is `uniqueId`, the id on the driver's card, because trips and positions refer to drivers
 * by it.
 */
export function toDriver({ name, uniqueId, attributes }: z.infer<typeof records.driver>): NormalizedDriver {
  const words = name?.split(/\s+/) ?? []
  return {
    ...UNDATED,
    sourceId: uniqueId,
    status: 'active',
    firstName: words.length > 1 ? words.slice(0, -1).join(' ') : (words[0] ?? null),
    middleName: null,
    lastName: words.length > 1 ? (words.at(-1) ?? null) : null,
    email: textIn(attributes, 'email', 'mail'),
    phone: normalizePhone(textIn(attributes, 'phone')),
    username: null,
    license: null,
    groupSourceIds: [],
  }
}

export const toVehicle = ({
  id,
  name,
  disabled,
  model,
  groupId,
  attributes,
}: z.infer<typeof records.device>): NormalizedVehicle => ({
  ...UNDATED,
  sourceId: sourceIdOf(id),
  status: disabled ? 'inactive' : 'active',
  vin: textIn(attributes, 'vin'),
  name,
  make: textIn(attributes, 'make'),
  model: model ?? textIn(attributes, 'model'),
  year: numberIn(attributes, 'year'),
  groupSourceIds: groupId === null ? [] : [sourceIdOf(groupId)],
  licensePlate: toLicense(textIn(attributes, 'licensePlate', 'plate'), textIn(attributes, 'plateState')),
  fuelType: fuelTypes.orNull(textIn(attributes, 'fuelType')?.toLowerCase()),
  fuelTankCapacityLiters: numberIn(attributes, 'tankCapacity', 'fuelTankCapacity'),
})

export const toDevice = ({
  id,
  uniqueId,
  model,
  lastUpdate,
}: z.infer<typeof records.device>): NormalizedDevice => ({
  ...UNDATED,
  sourceId: sourceIdOf(id),
  type: 'tracker',
  vehicleSourceId: sourceIdOf(id),
  description: model,
  serialNumber: uniqueId,
  lastConnectedAt: lastUpdate ?? null,
})

/** Maps a trip. Traccar gives it no id, so vehicle and start identify it. The end changes while it is in progress. */
export const toTrip = (record: z.infer<typeof records.trip>): NormalizedTrip => ({
  sourceId: `${record.deviceId}:${record.startTime}`,
  vehicleSourceId: sourceIdOf(record.deviceId),
  driverSourceId: record.driverUniqueId,
  startedAt: record.startTime,
  endedAt: record.endTime,
  startLocation: toPlace(record.startLat, record.startLon),
  endLocation: toPlace(record.endLat, record.endLon),
  distanceKilometers: toKilometers(record.distance),
  durationMilliseconds: tripDuration(record.startTime, record.endTime, record.duration),
})

export const toKilometers = (meters: number | null): number | null =>
  meters === null ? null : rounded(metersToKilometers(meters), 3)

type Degrees = number | null | undefined

/** Null if a coordinate is missing, or if the coordinates are not valid. */
export const toPlace = (latitude: Degrees, longitude: Degrees): Point | null =>
  latitude == null || longitude == null ? null : validCoordinates({ longitude, latitude })

export const toLocation = (record: z.infer<typeof records.position>): NormalizedLocation => ({
  vehicleSourceId: sourceIdOf(record.deviceId),
  sourceId: record.id > 0 ? sourceIdOf(record.id) : null,
  driverSourceId: textIn(record.attributes, 'driverUniqueId'),
  locatedAt: record.fixTime,
  location: { longitude: record.longitude, latitude: record.latitude },
  address: record.address,
  headingDegrees: record.course === null ? null : headingOf(record.course),
  speedKph: record.speed === null ? null : rounded(knotsToKilometersPerHour(record.speed), 2),
})

/** Converts a course to at least 0 and less than 360 degrees. */
export const headingOf = (course: number): number =>
  course >= 0 && course < 360 ? course : rounded(((course % 360) + 360) % 360, 6)

export function toLatestLocation(record: z.infer<typeof records.position>): NormalizedLatestLocation {
  const { attributes } = record
  const meters = numberIn(attributes, 'odometer', 'totalDistance')
  const ignition = attributes['ignition']
  return {
    ...toLocation(record),
    odometerKilometers: toKilometers(meters),
    fuelPrimaryPercentage: numberIn(attributes, 'fuelLevel'),
    fuelSecondaryPercentage: null,
    engineState: typeof ignition === 'boolean' ? engineOf(ignition, record.speed) : null,
    engineRuntimeMilliseconds: numberIn(attributes, 'hours'),
  }
}

/** Engine state: `idle` if the ignition is on and the speed is 0. */
export const engineOf = (ignition: boolean, knots: number | null): 'on' | 'off' | 'idle' => {
  if (!ignition) return 'off'
  return knots === 0 ? 'idle' : 'on'
}
