import type { z } from 'zod'
import type { DeviceDraft, DriverDraft, GroupDraft, TrailerDraft, VehicleDraft } from '../../drafts.ts'
import { phoneOf } from '../../phones.ts'
import { plateOf } from '../../states.ts'
import { vocabulary } from '../../vocabulary.ts'
import type * as records from '../records/roster.ts'

const UNDATED = { createdAt: null, updatedAt: null } as const

interface Dated {
  readonly createdAtTime?: number | null | undefined
  readonly updatedAtTime?: number | null | undefined
}

const datesOf = ({ createdAtTime = null, updatedAtTime = null }: Dated) => ({
  createdAt: createdAtTime,
  updatedAt: updatedAtTime,
})

export const toGroup = ({ id, name, parentTagId }: z.infer<typeof records.tag>): GroupDraft => ({
  ...UNDATED,
  sourceId: id,
  name,
  description: null,
  parentSourceId: parentTagId,
})

/** A driver of whom nothing else is told is active. */
const statuses = vocabulary<'active' | 'inactive'>('samsara', 'Driver.status', {
  active: 'active',
  deactivated: 'inactive',
})

export const toDriver = (record: z.infer<typeof records.driver>): DriverDraft => ({
  ...datesOf(record),
  ...namesIn(record.name),
  sourceId: record.id,
  status: statuses.or('active', record.driverActivationStatus),
  email: null,
  phone: phoneOf(record.phone),
  username: record.username,
  license: plateOf(record.licenseNumber, record.licenseState),
  groupSourceIds: record.tags,
})

/** The last word of a name is the last name. */
function namesIn(name: string | null) {
  const words = name?.split(/\s+/) ?? []
  const isSeveral = words.length > 1
  return {
    firstName: isSeveral ? words.slice(0, -1).join(' ') : (words[0] ?? null),
    middleName: null,
    lastName: isSeveral ? (words.at(-1) ?? null) : null,
  }
}

/** No plate is told with its state. */
const OF_NO_STATE = null

/** What is listed is active; that it is electric is all that is told of its fuel. */
export const toVehicle = ({ vehicle, energyType }: z.infer<typeof records.vehicle>): VehicleDraft => ({
  ...datesOf(vehicle),
  sourceId: vehicle.id,
  status: 'active',
  vin: vehicle.vin,
  name: vehicle.name,
  make: vehicle.make,
  model: vehicle.model,
  year: yearOf(vehicle.year),
  groupSourceIds: vehicle.tags,
  licensePlate: plateOf(vehicle.licensePlate, OF_NO_STATE),
  fuelType: energyType === 'electric' ? 'electric' : null,
  fuelTankCapacityLiters: null,
})

const yearOf = (year: string | null): number | null =>
  year !== null && /^\d{4}$/.test(year) ? Number(year) : null

export const toTrailer = (record: z.infer<typeof records.trailer>): TrailerDraft => ({
  ...UNDATED,
  sourceId: record.id,
  status: 'active',
  name: record.name,
  vin: null,
  serialNumber: record.trailerSerialNumber,
  make: null,
  model: null,
  year: null,
  groupSourceIds: record.tags,
  licensePlate: plateOf(record.licensePlate, OF_NO_STATE),
})

export const toDevice = ({
  serial,
  model,
  asset,
  connectionStatus,
}: z.infer<typeof records.gateway>): DeviceDraft => ({
  ...UNDATED,
  sourceId: serial,
  type: 'tracker',
  vehicleSourceId: asset,
  description: model,
  serialNumber: serial,
  lastConnectedAt: connectionStatus?.lastConnected ?? null,
})
