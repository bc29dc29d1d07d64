/** What a vehicle does, from its latest position. */
export type VehicleState = 'driving' | 'idling' | 'stopped' | 'silent' | 'unknown'

export const vehicleStates: readonly VehicleState[] = ['driving', 'idling', 'stopped', 'silent', 'unknown']

export const stateNames: Readonly<Record<VehicleState, string>> = {
  driving: 'Driving',
  idling: 'Idling',
  stopped: 'Stopped',
  silent: 'Silent',
  unknown: 'No position',
}

/** Latest position, as far as it decides the state. */
interface Position {
  readonly locatedAt: string
  readonly speed?: number | null
  readonly engineState?: 'ON' | 'OFF' | 'IDLE' | null
}

/** Slower than this is standing still: receivers report such speeds of parked vehicles. */
const STANDING_KMH = 5
/** Whether a speed in km/h is more than standing still. */
export const isMoving = (speed: number | null | undefined): boolean => (speed ?? 0) > STANDING_KMH

/** A vehicle that drove reports within minutes, else it has lost its connection. */
const SILENT_WHILE_DRIVING_MS = 30 * 60_000
/** Trackers of parked vehicles report at least daily. */
const SILENT_WHILE_PARKED_MS = 24 * 3_600_000

/**
 * Returns the state of a vehicle. It is silent if it drove when it last reported, and that is 30 minutes ago; or after
 * a day without a report.
 */
export function vehicleState(position: Position | null, now: number): VehicleState {
  if (position === null) return 'unknown'
  const ageMs = now - Date.parse(position.locatedAt)
  const moves = isMoving(position.speed)
  if (ageMs > (moves ? SILENT_WHILE_DRIVING_MS : SILENT_WHILE_PARKED_MS)) return 'silent'
  if (moves) return 'driving'
  return position.engineState === 'IDLE' || position.engineState === 'ON' ? 'idling' : 'stopped'
}
