import { z } from 'zod'
import type { NormalizedDevice } from '../../../domain/models/device.ts'
import type { NormalizedVehicle } from '../../../domain/models/vehicle.ts'
import { optionalYear } from '../../mapping/numbers.ts'
import { toLicense } from '../../mapping/license.ts'
import { id, measure, references, text } from '../schema-types.ts'
import { deviceWithTrailerId } from './trailers.ts'
import { lifecycleFields, lifecycleOf, lifecycleStatusOf } from './lifecycle.ts'
import { listReader } from '../paged-readers.ts'

const deviceSchema = z.looseObject({
  id,
  name: text,
  serialNumber: text,
  deviceType: text,
  vehicleIdentificationNumber: text,
  engineVehicleIdentificationNumber: text,
  licensePlate: text,
  licenseState: text,
  groups: references,
  fuelTankCapacity: measure,
  vinInfoMake: text,
  vinInfoModel: text,
  vinInfoYear: optionalYear,
  ...lifecycleFields,
})

const isVehicle = (record: unknown): boolean => !deviceWithTrailerId.safeParse(record).success

/** MyGeotab has one record for a vehicle and its device. Both models are read from it. */
export const vehicleReader = listReader({
  typeName: 'Device',
  shape: deviceSchema,
  isIncluded: isVehicle,
  toNormalized: (vehicle, asOf): NormalizedVehicle => ({
    sourceId: vehicle.id,
    ...lifecycleOf(vehicle, asOf),
    status: lifecycleStatusOf(vehicle, asOf),
    vin: vinOf(vehicle),
    name: vehicle.name,
    make: vehicle.vinInfoMake,
    model: vehicle.vinInfoModel,
    year: vehicle.vinInfoYear,
    groupSourceIds: vehicle.groups,
    licensePlate: toLicense(vehicle.licensePlate, vehicle.licenseState),
    fuelType: null,
    fuelTankCapacityLiters: vehicle.fuelTankCapacity || null,
  }),
})

/** VIN as registered, otherwise as the engine reports it. A VIN of only zeros or question marks counts as missing. */
const vinOf = (vehicle: z.infer<typeof deviceSchema>): string | null =>
  [vehicle.vehicleIdentificationNumber, vehicle.engineVehicleIdentificationNumber].find(
    (vin) => vin !== null && /[1-9a-z]/i.test(vin),
  ) ?? null

export const deviceReader = listReader({
  typeName: 'Device',
  shape: deviceSchema,
  isIncluded: isVehicle,
  toNormalized: (device, asOf): NormalizedDevice => ({
    sourceId: device.id,
    ...lifecycleOf(device, asOf),
    type: 'tracker',
    vehicleSourceId: device.id,
    description: device.deviceType,
    serialNumber: device.serialNumber,
    lastConnectedAt: null,
  }),
})
