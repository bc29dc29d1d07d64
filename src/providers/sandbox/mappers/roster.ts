import type { z } from 'zod'
import { milesPerUsGallonToLitersPer100Kilometers, usGallonsToLiters } from '../../../domain/units.ts'
import type { NormalizedDevice } from '../../../domain/models/device.ts'
import type { NormalizedDriver } from '../../../domain/models/driver.ts'
import type { NormalizedGroup } from '../../../domain/models/group.ts'
import type { NormalizedLicense } from '../../../domain/models/normalized-record.ts'
import type { NormalizedTrailer } from '../../../domain/models/trailer.ts'
import type { NormalizedFuelType, NormalizedVehicle } from '../../../domain/models/vehicle.ts'
import { normalizePhone } from '../../mapping/phone-numbers.ts'
import { toStateCode } from '../../mapping/state-codes.ts'
import type * as records from '../schemas/roster.ts'
import { createEnumMapping } from '../../mapping/enum-mapping.ts'
import { converted } from './conversions.ts'

/** Creates the mapping of statuses for a model. The callers treat an unknown status as active. */
const statusMappingFor = (model: string) =>
  createEnumMapping<'active' | 'inactive'>('sandbox', `${model}.status`, {
    active: 'active',
    inactive: 'inactive',
  })

const driverStatuses = statusMappingFor('Driver')
const vehicleStatuses = statusMappingFor('Vehicle')
const trailerStatuses = statusMappingFor('Trailer')

export const toGroup = (record: z.infer<typeof records.group>): NormalizedGroup => ({
  ...lifecycleFields(record),
  name: record.name,
  description: record.description,
  parentSourceId: record.parentId,
})

export const toDriver = (record: z.infer<typeof records.driver>): NormalizedDriver => ({
  ...lifecycleFields(record),
  status: driverStatuses.orDefault(record.status, 'active'),
  firstName: record.firstName,
  middleName: record.middleName,
  lastName: record.lastName,
  email: record.email,
  phone: normalizePhone(record.phone),
  username: record.username,
  license: normalizeLicense(record.license),
  groupSourceIds: record.groupIds,
})

const fuelTypes = createEnumMapping<NormalizedFuelType>('sandbox', 'Vehicle.fuelType', {
  diesel: 'diesel',
  gasoline: 'gasoline',
  electric: 'electric',
  propane: 'propane',
})

export const toVehicle = (record: z.infer<typeof records.vehicle>): NormalizedVehicle => ({
  ...lifecycleFields(record),
  ...assetFields(record),
  status: vehicleStatuses.orDefault(record.status, 'active'),
  fuelType: fuelTypes.orNull(record.fuelType),
  fuelTankCapacityLiters: converted(record.fuelTankGallons, usGallonsToLiters, 1),
  fuelEfficiencyLitersPer100Kilometers: converted(
    record.fuelEconomyMpg,
    milesPerUsGallonToLitersPer100Kilometers,
    2,
  ),
})

export const toTrailer = (record: z.infer<typeof records.trailer>): NormalizedTrailer => ({
  ...lifecycleFields(record),
  ...assetFields(record),
  status: trailerStatuses.orDefault(record.status, 'active'),
  serialNumber: record.serialNumber,
})

const deviceTypes = createEnumMapping<'tracker' | 'camera'>('sandbox', 'Device.type', {
  tracker: 'tracker',
  camera: 'camera',
})

export const toDevice = (record: z.infer<typeof records.device>): NormalizedDevice => ({
  ...lifecycleFields(record),
  type: deviceTypes.orDefault(record.type, 'tracker'),
  vehicleSourceId: record.vehicleId,
  description: record.description,
  serialNumber: record.serialNumber,
  lastConnectedAt: record.lastConnectedAt,
})

const lifecycleFields = ({
  id,
  removedAt,
  createdAt,
  updatedAt,
}: {
  id: string
  removedAt: number | null
  createdAt: number
  updatedAt: number
}) => ({ sourceId: id, deletedAt: removedAt, createdAt, updatedAt })

const assetFields = (record: z.infer<typeof records.vehicle> | z.infer<typeof records.trailer>) => ({
  vin: record.vin,
  name: record.name,
  make: record.make,
  model: record.model,
  year: record.year,
  groupSourceIds: record.groupIds,
  licensePlate: normalizeLicense(record.licensePlate),
})

const normalizeLicense = (license: NormalizedLicense | null): NormalizedLicense | null =>
  license && { ...license, state: toStateCode(license.state) }
