import type { Kind } from './ids.ts'

/** The kinds of record a provider can support, by the names that `GET /providers` lists (interface 2.9). */
export const modelNames = [
  'Group',
  'Vehicle',
  'Driver',
  'LatestVehicleLocation',
  'VehicleLocation',
  'VehicleStatLog',
  'Trailer',
  'LatestTrailerLocation',
  'Trip',
  'Device',
  'HOSLog',
  'HOSDailyLog',
  'HOSAvailableTime',
  'IFTASummary',
  'SafetyEvent',
  'CameraMedia',
  'FaultCodeEvent',
  'VehicleUtilization',
] as const

export type ModelName = (typeof modelNames)[number]

/** The models that a sync stores, in the order in which it reads them. */
export const syncedModels = [
  'Group',
  'Driver',
  'Vehicle',
  'Device',
  'Trip',
  'SafetyEvent',
  'VehicleLocation',
] as const

export type SyncedModel = (typeof syncedModels)[number]

/** The records that `node(id:)` answers for: their GraphQL type and the table that holds them. */
export const nodes = {
  connection: { typeName: 'Connection', table: 'connections' },
  sync: { typeName: 'Sync', table: 'syncs' },
  vehicle: { typeName: 'Vehicle', table: 'vehicles' },
  driver: { typeName: 'Driver', table: 'drivers' },
  group: { typeName: 'Group', table: 'groups' },
  device: { typeName: 'Device', table: 'devices' },
  trip: { typeName: 'Trip', table: 'trips' },
  safetyEvent: { typeName: 'SafetyEvent', table: 'safety_events' },
} as const satisfies Partial<Record<Kind, { typeName: string; table: string }>>

export type NodeKind = keyof typeof nodes

export const isNodeKind = (kind: Kind | null): kind is NodeKind => kind !== null && kind in nodes
