import type { z } from 'zod'
import { milesPerUsGallonToLitersPer100Kilometers, usGallonsToLiters } from '../../../units.ts'
import type {
  DeviceDraft,
  DriverDraft,
  FuelType,
  GroupDraft,
  PlateDraft,
  TrailerDraft,
  VehicleDraft,
} from '../../drafts.ts'
import { phoneOf } from '../../phones.ts'
import { stateOf } from '../../states.ts'
import type * as records from '../records/roster.ts'
import { vocabulary } from '../../vocabulary.ts'
import { converted } from './conversions.ts'

/** What is listed is active, whatever new word there is for it. */
const statusesOf = (model: string) =>
  vocabulary<'active' | 'inactive'>('sandbox', `${model}.status`, { active: 'active', inactive: 'inactive' })

const driverStatuses = statusesOf('Driver')
const vehicleStatuses = statusesOf('Vehicle')
const trailerStatuses = statusesOf('Trailer')

export const toGroup = (record: z.infer<typeof records.group>): GroupDraft => ({
  ...removableOf(record),
  name: record.name,
  description: record.description,
  parentSourceId: record.parentId,
})

export const toDriver = (record: z.infer<typeof records.driver>): DriverDraft => ({
  ...removableOf(record),
  status: driverStatuses.or('active', record.status),
  firstName: record.firstName,
  middleName: record.middleName,
  lastName: record.lastName,
  email: record.email,
  phone: phoneOf(record.phone),
  username: record.username,
  license: statedOf(record.license),
  groupSourceIds: record.groupIds,
})

const fuelTypes = vocabulary<FuelType>('sandbox', 'Vehicle.fuelType', {
  diesel: 'diesel',
  gasoline: 'gasoline',
  electric: 'electric',
  propane: 'propane',
})

export const toVehicle = (record: z.infer<typeof records.vehicle>): VehicleDraft => ({
  ...removableOf(record),
  ...builtOf(record),
  status: vehicleStatuses.or('active', record.status),
  fuelType: fuelTypes.maybe(record.fuelType),
  fuelTankCapacityLiters: converted(record.fuelTankGallons, usGallonsToLiters, 1),
  fuelEfficiencyLitersPer100Kilometers: converted(
    record.fuelEconomyMpg,
    milesPerUsGallonToLitersPer100Kilometers,
    2,
  ),
})

export const toTrailer = (record: z.infer<typeof records.trailer>): TrailerDraft => ({
  ...removableOf(record),
  ...builtOf(record),
  status: trailerStatuses.or('active', record.status),
  serialNumber: record.serialNumber,
})

const deviceTypes = vocabulary<'tracker' | 'camera'>('sandbox', 'Device.type', {
  tracker: 'tracker',
  camera: 'camera',
})

export const toDevice = (record: z.infer<typeof records.device>): DeviceDraft => ({
  ...removableOf(record),
  type: deviceTypes.or('tracker', record.type),
  vehicleSourceId: record.vehicleId,
  description: record.description,
  serialNumber: record.serialNumber,
  lastConnectedAt: record.lastConnectedAt,
})

const removableOf = ({
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

const builtOf = (record: z.infer<typeof records.vehicle> | z.infer<typeof records.trailer>) => ({
  vin: record.vin,
  name: record.name,
  make: record.make,
  model: record.model,
  year: record.year,
  groupSourceIds: record.groupIds,
  licensePlate: statedOf(record.licensePlate),
})

const statedOf = (plate: PlateDraft | null): PlateDraft | null =>
  plate && { ...plate, state: stateOf(plate.state) }
