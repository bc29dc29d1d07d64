/** The first moment the simulated world knows, a Monday. */
export const WORLD_START_MS = Date.UTC(2024, 0, 1)

export const LARGEST_FLEET = 100_000

/** All that an account's world depends on, beside the time. */
export interface Fleet {
  readonly seed: number
  /** Number of vehicles it has now, 1 to LARGEST_FLEET. */
  readonly size: number
}

/** Of 25 vehicles, and of as many drivers and trailers, one more was there once and is gone. */
export function goneCount({ size }: Fleet): number {
  return Math.min(40, Math.floor(size / 25))
}

/** Every fortieth vehicle has a tracker that was never plugged in: no locations, no trips, no events. */
export function vehicleIsSilent(vehicle: number): boolean {
  return vehicle % 40 === 23
}

/** Half of the silent vehicles are out of service. */
export function vehicleIsActive(vehicle: number): boolean {
  return vehicle % 80 !== 23
}

/** A driver for each vehicle, and after them a second one for every fifth. */
export function driverCount({ size }: Fleet): number {
  return size + Math.ceil(size / 5)
}

/** One in ten of the second drivers has left the company. */
export function driverIsActive({ size }: Fleet, driver: number): boolean {
  return driver < size || (driver - size) % 10 !== 9
}

/** Whether two drivers share a vehicle, one after the other, so that it works round the clock. */
export function vehicleIsShared(fleet: Fleet, vehicle: number): boolean {
  return vehicle % 5 === 0 && driverIsActive(fleet, secondDriver(fleet, vehicle))
}

/** Who drives a vehicle in the first or the second shift of its day. */
export function driverOf(fleet: Fleet, vehicle: number, shift: 0 | 1): number {
  return shift === 0 ? vehicle : secondDriver(fleet, vehicle)
}

/** The vehicle a driver drives. */
export function vehicleOfDriver({ size }: Fleet, driver: number): number {
  return driver < size ? driver : 5 * (driver - size)
}

function secondDriver({ size }: Fleet, vehicle: number): number {
  return size + Math.floor(vehicle / 5)
}
