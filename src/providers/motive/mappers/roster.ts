import type { z } from 'zod'
import type { NormalizedDevice } from '../../../domain/models/device.ts'
import type { NormalizedDriver } from '../../../domain/models/driver.ts'
import type { NormalizedGroup } from '../../../domain/models/group.ts'
import type { NormalizedTrailer } from '../../../domain/models/trailer.ts'
import type { NormalizedFuelType, NormalizedVehicle } from '../../../domain/models/vehicle.ts'
import { normalizePhone } from '../../mapping/phone-numbers.ts'
import { toLicense } from '../../mapping/license.ts'
import { unmappedValues, createEnumMapping } from '../../mapping/enum-mapping.ts'
import type * as records from '../schemas/roster.ts'

const UNDATED = { createdAt: null, updatedAt: null } as const

interface Dated {
  readonly created_at?: number | null | undefined
  readonly updated_at?: number | null | undefined
}

const datesOf = ({ created_at: createdAt = null, updated_at: updatedAt = null }: Dated) => ({
  createdAt,
  updatedAt,
})

/** Creates the mapping of the `status` of one model. */
const statusMapping = (modelName: string) =>
  createEnumMapping<'active' | 'inactive'>('motive', `${modelName}.status`, {
    active: 'active',
    deactivated: 'inactive',
    inactive: 'inactive',
  })

const driverStatuses = statusMapping('Driver')
const vehicleStatuses = statusMapping('Vehicle')
const trailerStatuses = statusMapping('Trailer')

export const toGroup = ({
  id,
  name,
  parent_id: parentId,
}: z.infer<typeof records.group>): NormalizedGroup => ({
  ...UNDATED,
  sourceId: id,
  name,
  description: null,
  parentSourceId: parentId ?? null,
})

export const toDriver = ({ user, groupIds }: z.infer<typeof records.driver>): NormalizedDriver => ({
  ...datesOf(user),
  sourceId: user.id,
  status: driverStatuses.orDefault(user.status, 'active'),
  firstName: user.first_name,
  middleName: null,
  lastName: user.last_name,
  email: user.email,
  phone: normalizePhone(user.phone),
  username: user.username,
  license: toLicense(user.drivers_license_number, user.drivers_license_state),
  groupSourceIds: groupIds,
})

const fuelTypes = createEnumMapping<NormalizedFuelType>('motive', 'Vehicle.fuelType', {
  diesel: 'diesel',
  gasoline: 'gasoline',
  propane: 'propane',
  electric: 'electric',
  ...unmappedValues('other'),
})

export const toVehicle = ({ vehicle, groupIds }: z.infer<typeof records.vehicle>): NormalizedVehicle => ({
  ...datesOf(vehicle),
  sourceId: vehicle.id,
  status: vehicleStatuses.orDefault(vehicle.status, 'active'),
  vin: vehicle.vin,
  name: vehicle.number,
  make: vehicle.make,
  model: vehicle.model,
  year: vehicle.year,
  groupSourceIds: groupIds,
  licensePlate: toLicense(vehicle.license_plate_number, vehicle.license_plate_state),
  fuelType: fuelTypes.orNull(vehicle.fuel_type),
  fuelTankCapacityLiters: null,
})

export const toTrailer = (asset: z.infer<typeof records.asset>): NormalizedTrailer => ({
  ...datesOf(asset),
  sourceId: asset.id,
  status: trailerStatuses.orDefault(asset.status, 'active'),
  name: asset.name,
  vin: asset.vin,
  serialNumber: null,
  make: asset.make,
  model: asset.model,
  year: asset.year,
  groupSourceIds: [],
  licensePlate: toLicense(asset.license_plate_number, asset.license_plate_state),
})

export const toDevice = ({
  id,
  identifier,
  model,
  vehicle: vehicleId,
}: z.infer<typeof records.gateway>): NormalizedDevice => ({
  ...UNDATED,
  sourceId: id,
  type: 'tracker',
  vehicleSourceId: vehicleId,
  description: model,
  serialNumber: identifier,
  lastConnectedAt: null,
})
