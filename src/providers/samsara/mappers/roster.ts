import type { z } from 'zod'
import type { NormalizedDevice } from '../../../domain/models/device.ts'
import type { NormalizedDriver } from '../../../domain/models/driver.ts'
import type { NormalizedGroup } from '../../../domain/models/group.ts'
import type { NormalizedTrailer } from '../../../domain/models/trailer.ts'
import type { NormalizedVehicle } from '../../../domain/models/vehicle.ts'
import { normalizePhone } from '../../mapping/phone-numbers.ts'
import { toLicense } from '../../mapping/license.ts'
import { createEnumMapping } from '../../mapping/enum-mapping.ts'
import type * as records from '../schemas/roster.ts'

const UNDATED = { createdAt: null, updatedAt: null } as const

interface Dated {
  readonly createdAtTime?: number | null | undefined
  readonly updatedAtTime?: number | null | undefined
}

const datesOf = ({ createdAtTime = null, updatedAtTime = null }: Dated) => ({
  createdAt: createdAtTime,
  updatedAt: updatedAtTime,
})

export const toGroup = ({ id, name, parentTagId }: z.infer<typeof records.tag>): NormalizedGroup => ({
  ...UNDATED,
  sourceId: id,
  name,
  description: null,
  parentSourceId: parentTagId,
})

const statuses = createEnumMapping<'active' | 'inactive'>('samsara', 'Driver.status', {
  active: 'active',
  deactivated: 'inactive',
})

export const toDriver = (record: z.infer<typeof records.driver>): NormalizedDriver => ({
  ...datesOf(record),
  ...namesIn(record.name),
  sourceId: record.id,
  status: statuses.orDefault(record.driverActivationStatus, 'active'),
  email: null,
  phone: normalizePhone(record.phone),
  username: record.username,
  license: toLicense(record.licenseNumber, record.licenseState),
  groupSourceIds: record.tags,
})

/** Splits a name: its last word is the last name. A single word is the first name. */
function namesIn(name: string | null) {
  const words = name?.split(/\s+/) ?? []
  const hasSeveralWords = words.length > 1
  return {
    firstName: hasSeveralWords ? words.slice(0, -1).join(' ') : (words[0] ?? null),
    middleName: null,
    lastName: hasSeveralWords ? (words.at(-1) ?? null) : null,
  }
}

/** Samsara does not send the state of a license plate. */
const NO_STATE = null

/**
 * Maps a vehicle. Samsara sends no status, so a listed vehicle is active. The only fuel type that is read is
 * electric.
 */
export const toVehicle = ({ vehicle, energyType }: z.infer<typeof records.vehicle>): NormalizedVehicle => ({
  ...datesOf(vehicle),
  sourceId: vehicle.id,
  status: 'active',
  vin: vehicle.vin,
  name: vehicle.name,
  make: vehicle.make,
  model: vehicle.model,
  year: vehicle.year,
  groupSourceIds: vehicle.tags,
  licensePlate: toLicense(vehicle.licensePlate, NO_STATE),
  fuelType: energyType === 'electric' ? 'electric' : null,
  fuelTankCapacityLiters: null,
})

export const toTrailer = (record: z.infer<typeof records.trailer>): NormalizedTrailer => ({
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
  licensePlate: toLicense(record.licensePlate, NO_STATE),
})

export const toDevice = ({
  serial,
  model,
  asset,
  connectionStatus,
}: z.infer<typeof records.gateway>): NormalizedDevice => ({
  ...UNDATED,
  sourceId: serial,
  type: 'tracker',
  vehicleSourceId: asset,
  description: model,
  serialNumber: serial,
  lastConnectedAt: connectionStatus?.lastConnected ?? null,
})
