import type { NormalizedVehicle } from '../../../src/domain/models/vehicle.ts'

/** Returns a vehicle of which the provider reports only the given values. */
export const normalizedVehicle = (
  values: Pick<NormalizedVehicle, 'sourceId' | 'name'> & Partial<NormalizedVehicle>,
): NormalizedVehicle => ({
  status: 'active',
  vin: null,
  make: null,
  model: null,
  year: null,
  groupSourceIds: [],
  licensePlate: null,
  fuelType: null,
  fuelTankCapacityLiters: null,
  createdAt: null,
  updatedAt: null,
  ...values,
})
