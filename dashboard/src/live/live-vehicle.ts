import type {
  FleetConnectionsQuery,
  FleetGroupsQuery,
  FleetVehiclesQuery,
  LivePositionsSubscription,
} from '../api/generated/graphql.ts'
import { type VehicleState, vehicleState } from './vehicle-state.ts'

export type Vehicle = NonNullable<FleetVehiclesQuery['vehicles']>['nodes'][number]
export type Position = LivePositionsSubscription['vehicleLocations']
export type Connection = NonNullable<FleetConnectionsQuery['connections']>['nodes'][number]
export type Group = NonNullable<FleetGroupsQuery['groups']>['nodes'][number]

/** Status that the fleet gives a vehicle. */
export type VehicleStatus = NonNullable<Vehicle['status']>

export const vehicleStatuses: readonly VehicleStatus[] = ['ACTIVE', 'INACTIVE']

/** A vehicle with its latest position. */
export interface LiveVehicle {
  readonly vehicle: Vehicle
  readonly position: Position | null
  readonly state: VehicleState
}

export const liveVehicle = (vehicle: Vehicle, position: Position | null, now: number): LiveVehicle => ({
  vehicle,
  position,
  state: vehicleState(position, now),
})

/** Name under which a vehicle is listed. */
export const nameOf = ({ name, vin, sourceId }: Pick<Vehicle, 'name' | 'vin' | 'sourceId'>): string =>
  name ?? vin ?? sourceId

/** Which vehicles are shown. An absent member means all. */
export interface VehicleFilter {
  readonly search?: string | undefined
  readonly connection?: string | undefined
  readonly group?: string | undefined
  readonly status?: VehicleStatus | undefined
  readonly state?: VehicleState | undefined
}

/** Whether a vehicle passes a filter. The search finds a part of the name, VIN, plate, id or id at the provider. */
export function passes({ vehicle, state }: LiveVehicle, filter: VehicleFilter): boolean {
  if (filter.state !== undefined && state !== filter.state) return false
  if (filter.status !== undefined && vehicle.status !== filter.status) return false
  if (filter.connection !== undefined && vehicle.connection?.id !== filter.connection) return false
  if (filter.group !== undefined && !vehicle.groups.some(({ id }) => id === filter.group)) return false
  const search = filter.search?.trim().toLowerCase()
  if (!search) return true
  const { id, name, vin, licensePlate, sourceId } = vehicle
  return [id, name, vin, licensePlate?.number, sourceId].some((text) => text?.toLowerCase().includes(search))
}

/** Compares by name, with numbers in their order. */
export const byName = (one: LiveVehicle, other: LiveVehicle): number =>
  collator.compare(nameOf(one.vehicle), nameOf(other.vehicle)) || (one.vehicle.id < other.vehicle.id ? -1 : 1)

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Number of vehicles in each state. */
export function countByState(vehicles: readonly LiveVehicle[]): ReadonlyMap<VehicleState, number> {
  const counts = new Map<VehicleState, number>()
  for (const { state } of vehicles) counts.set(state, (counts.get(state) ?? 0) + 1)
  return counts
}
