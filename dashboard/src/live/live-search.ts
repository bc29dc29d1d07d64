import { type VehicleStatus, vehicleStatuses } from './live-vehicle.ts'
import { type VehicleState, vehicleStates } from './vehicle-state.ts'

/** What the address of the live map holds, so that every view of it is a link. */
export interface LiveSearch {
  readonly q?: string
  readonly connection?: string
  readonly group?: string
  readonly status?: VehicleStatus
  readonly state?: VehicleState
  /** Vehicle whose card is open. */
  readonly vehicle?: string
}

/** Reads the search parameters of an address. Unknown and invalid ones are left out. */
export function liveSearch(parameters: Readonly<Record<string, unknown>>): LiveSearch {
  const { q, connection, group, vehicle } = parameters
  const state = vehicleStates.find((known) => known === parameters['state'])
  const status = vehicleStatuses.find((known) => known === parameters['status'])
  return {
    ...textMember('q', q),
    ...textMember('connection', connection),
    ...textMember('group', group),
    ...textMember('vehicle', vehicle),
    ...(status && { status }),
    ...(state && { state }),
  }
}

type TextMember = Exclude<keyof LiveSearch, 'status' | 'state'>

/** A search such as `1003` arrives as a number. */
const textMember = (name: TextMember, value: unknown): Pick<LiveSearch, TextMember> =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? { [name]: String(value) } : {}
