/** A normalized trip without its identity and its times. */
export const minimalTrip = {
  vehicleSourceId: 'vehicle-1',
  driverSourceId: null,
  startLocation: null,
  endLocation: null,
  distanceKilometers: 1,
  durationMilliseconds: 1,
  createdAt: null,
  updatedAt: null,
}
