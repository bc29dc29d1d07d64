import { z } from 'zod'
import type { DeviceDraft, VehicleDraft } from '../../drafts.ts'
import { plateOf } from '../../states.ts'
import { id, references, text } from '../fields.ts'
import { isTrailer } from './trailers.ts'
import { life, lifeOf, statusOf } from './members.ts'
import { listed } from '../readers.ts'

const device = z.looseObject({
  id,
  name: text,
  serialNumber: text,
  deviceType: text,
  vehicleIdentificationNumber: text,
  engineVehicleIdentificationNumber: text,
  licensePlate: text,
  licenseState: text,
  groups: references,
  fuelTankCapacity: z.number().nullish(),
  vinInfoMake: text,
  vinInfoModel: text,
  vinInfoYear: text,
  ...life,
})

const isVehicle = (record: unknown): boolean => !isTrailer.safeParse(record).success

/** The vehicle and the device in it are one object. */
export const vehicleReader = listed({
  typeName: 'Device',
  shape: device,
  isRead: isVehicle,
  toDraft: (vehicle, asOf): VehicleDraft => ({
    sourceId: vehicle.id,
    ...lifeOf(vehicle, asOf),
    status: statusOf(vehicle, asOf),
    vin: vinOf(vehicle),
    name: vehicle.name,
    make: vehicle.vinInfoMake,
    model: vehicle.vinInfoModel,
    year: Number(vehicle.vinInfoYear) || null,
    groupSourceIds: vehicle.groups,
    licensePlate: plateOf(vehicle.licensePlate, vehicle.licenseState),
    fuelType: null,
    fuelTankCapacityLiters: vehicle.fuelTankCapacity || null,
  }),
})

/** As it was registered, else as the engine tells it; a question mark is none. */
const vinOf = (vehicle: z.infer<typeof device>): string | null =>
  [vehicle.vehicleIdentificationNumber, vehicle.engineVehicleIdentificationNumber].find(
    (vin) => vin !== null && /[1-9a-z]/i.test(vin),
  ) ?? null

export const deviceReader = listed({
  typeName: 'Device',
  shape: device,
  isRead: isVehicle,
  toDraft: (device, asOf): DeviceDraft => ({
    sourceId: device.id,
    ...lifeOf(device, asOf),
    type: 'tracker',
    vehicleSourceId: device.id,
    description: device.deviceType,
    serialNumber: device.serialNumber,
    lastConnectedAt: null,
  }),
})
