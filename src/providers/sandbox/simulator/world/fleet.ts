/** The start of the simulated world, a Monday. */
export const WORLD_START_MS = Date.UTC(2024, 0, 1)

export const MAX_FLEET_SIZE = 100_000

/** Input of the simulation of an account. Together with the time and the edits, it determines all records. */
export interface Fleet {
  readonly seed: number
  /** Number of current vehicles, 1 to MAX_FLEET_SIZE. */
  readonly size: number
}

/** Returns the number of removed vehicles, drivers or trailers: one for every 25 vehicles. */
export function removedCount({ size }: Fleet): number {
  return Math.min(40, Math.floor(size / 25))
}

/**
 * Whether a vehicle is silent: it never reports, because its tracker is not plugged in. One vehicle in 40 is
 * silent.
 */
export function vehicleIsSilent(vehicle: number): boolean {
  return vehicle % 40 === 23
}

/** Whether a vehicle is in service. Half of the silent vehicles are out of service. */
export function vehicleIsActive(vehicle: number): boolean {
  return vehicle % 80 !== 23
}

/** Returns the number of drivers: one per vehicle, and a second driver for every fifth vehicle. */
export function driverCount({ size }: Fleet): number {
  return size + Math.ceil(size / 5)
}

/** Whether a driver works for the company. One in ten of the second drivers has left it. */
export function driverIsActive({ size }: Fleet, driver: number): boolean {
  return driver < size || (driver - size) % 10 !== 9
}

/** Whether two drivers share a vehicle in consecutive shifts, so that it works day and night. */
export function vehicleIsShared(fleet: Fleet, vehicle: number): boolean {
  return vehicle % 5 === 0 && driverIsActive(fleet, secondDriver(fleet, vehicle))
}

/** Returns the driver of a vehicle in the first or second shift of a day. */
export function driverOf(fleet: Fleet, vehicle: number, shift: 0 | 1): number {
  return shift === 0 ? vehicle : secondDriver(fleet, vehicle)
}

/** Returns the vehicle of a driver. */
export function vehicleOfDriver({ size }: Fleet, driver: number): number {
  return driver < size ? driver : 5 * (driver - size)
}

function secondDriver({ size }: Fleet, vehicle: number): number {
  return size + Math.floor(vehicle / 5)
}
