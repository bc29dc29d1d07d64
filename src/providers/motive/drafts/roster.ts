import type { z } from 'zod'
import type {
  DeviceDraft,
  DriverDraft,
  FuelType,
  GroupDraft,
  TrailerDraft,
  VehicleDraft,
} from '../../drafts.ts'
import { phoneOf } from '../../phones.ts'
import { plateOf } from '../../states.ts'
import { noneOfOurs, vocabulary } from '../../vocabulary.ts'
import type * as records from '../records/roster.ts'

const UNDATED = { createdAt: null, updatedAt: null } as const

interface Dated {
  readonly created_at?: number | null | undefined
  readonly updated_at?: number | null | undefined
}

const datesOf = ({ created_at: createdAt = null, updated_at: updatedAt = null }: Dated) => ({
  createdAt,
  updatedAt,
})

/** What is listed is active, whatever new word there is for it. */
const statusesOf = (model: string) =>
  vocabulary<'active' | 'inactive'>('motive', `${model}.status`, {
    active: 'active',
    deactivated: 'inactive',
    inactive: 'inactive',
  })

const driverStatuses = statusesOf('Driver')
const vehicleStatuses = statusesOf('Vehicle')
const trailerStatuses = statusesOf('Trailer')

export const toGroup = ({ id, name, parent_id: parent }: z.infer<typeof records.group>): GroupDraft => ({
  ...UNDATED,
  sourceId: id,
  name,
  description: null,
  parentSourceId: parent ?? null,
})

export const toDriver = ({ user, groupIds }: z.infer<typeof records.driver>): DriverDraft => ({
  ...datesOf(user),
  sourceId: user.id,
  status: driverStatuses.or('active', user.status),
  firstName: user.first_name,
  middleName: null,
  lastName: user.last_name,
  email: user.email,
  phone: phoneOf(user.phone),
  username: user.username,
  license: plateOf(user.drivers_license_number, user.drivers_license_state),
  groupSourceIds: groupIds,
})

/** Of other words, such as `other`, nothing is known. */
const fuelTypes = vocabulary<FuelType>('motive', 'Vehicle.fuelType', {
  diesel: 'diesel',
  gasoline: 'gasoline',
  propane: 'propane',
  electric: 'electric',
  ...noneOfOurs('other'),
})

export const toVehicle = ({ vehicle, groupIds }: z.infer<typeof records.vehicle>): VehicleDraft => ({
  ...datesOf(vehicle),
  sourceId: vehicle.id,
  status: vehicleStatuses.or('active', vehicle.status),
  vin: vehicle.vin,
  name: vehicle.number,
  make: vehicle.make,
  model: vehicle.model,
  year: yearOf(vehicle.year),
  groupSourceIds: groupIds,
  licensePlate: plateOf(vehicle.license_plate_number, vehicle.license_plate_state),
  fuelType: fuelTypes.maybe(vehicle.fuel_type),
  fuelTankCapacityLiters: null,
})

const yearOf = (year: string | null): number | null =>
  year !== null && /^\d{4}$/.test(year) ? Number(year) : null

export const toTrailer = (asset: z.infer<typeof records.asset>): TrailerDraft => ({
  ...datesOf(asset),
  sourceId: asset.id,
  status: trailerStatuses.or('active', asset.status),
  name: asset.name,
  vin: asset.vin,
  serialNumber: null,
  make: asset.make,
  model: asset.model,
  year: yearOf(asset.year),
  groupSourceIds: [],
  licensePlate: plateOf(asset.license_plate_number, asset.license_plate_state),
})

export const toDevice = ({
  id,
  identifier,
  model,
  vehicle,
}: z.infer<typeof records.gateway>): DeviceDraft => ({
  ...UNDATED,
  sourceId: id,
  type: 'tracker',
  vehicleSourceId: vehicle,
  description: model,
  serialNumber: identifier,
  lastConnectedAt: null,
})
