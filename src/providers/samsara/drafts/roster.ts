import type { z } from 'zod'
import type { DeviceDraft, DriverDraft, GroupDraft, TrailerDraft, VehicleDraft } from '../../drafts.ts'
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
  license:
    record.licenseNumber === null
      ? null
      : { state: stateOf(record.licenseState), number: record.licenseNumber },
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

/** Ten digits of the North American plan have no country; what is neither they nor international is left out. */
function phoneOf(phone: string | null): string | null {
  const digits = phone?.replace(/[\s().-]/g, '') ?? ''
  if (/^\+[1-9]\d{6,14}$/.test(digits)) return digits
  if (/^1?[2-9]\d{2}[2-9]\d{6}$/.test(digits)) return `+1${digits.slice(-10)}`
  return null
}

const stateOf = (state: string | null): string | null =>
  state !== null && /^[A-Za-z]{2}$/.test(state) ? state.toUpperCase() : null

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
  licensePlate: plateOf(vehicle.licensePlate),
  fuelType: energyType === 'electric' ? 'electric' : null,
  fuelTankCapacityLiters: null,
})

const yearOf = (year: string | null): number | null =>
  year !== null && /^\d{4}$/.test(year) ? Number(year) : null

/** Of which state is not told. */
const plateOf = (number: string | null) => (number === null ? null : { state: null, number })

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
  licensePlate: plateOf(record.licensePlate),
})

export const toDevice = ({
  serial,
  model,
  asset,
  connectionStatus,
}: z.infer<typeof records.gateway>): DeviceDraft => ({
  ...UNDATED,
  sourceId: serial,
  type: model?.startsWith('CM') ? 'camera' : 'tracker',
  vehicleSourceId: asset,
  description: model,
  serialNumber: serial,
  lastConnectedAt: connectionStatus?.lastConnected ?? null,
})
