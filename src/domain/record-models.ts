import { kindOf, type Kind } from './ids.ts'

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
  'Trailer',
  'Device',
  'Trip',
  'SafetyEvent',
  'FaultCodeEvent',
  'HOSLog',
  'HOSDailyLog',
  'VehicleUtilization',
  'VehicleLocation',
  'VehicleStatLog',
  'IFTASummary',
] as const

export type SyncedModel = (typeof syncedModels)[number]

/** The models that are only of now: managed polling reads them. */
export const latestModels = ['LatestVehicleLocation', 'LatestTrailerLocation', 'HOSAvailableTime'] as const

export type LatestModel = (typeof latestModels)[number]

/** The models of which what a provider sent is kept. */
export const rawRetainedModels = [...syncedModels, ...latestModels] as const

export type RawRetainedModel = (typeof rawRetainedModels)[number]

/** The records that `node(id:)` answers for: their GraphQL type and the table that holds them. */
export const nodes = {
  connection: { typeName: 'Connection', table: 'connections' },
  sync: { typeName: 'Sync', table: 'syncs' },
  vehicle: { typeName: 'Vehicle', table: 'vehicles' },
  driver: { typeName: 'Driver', table: 'drivers' },
  trailer: { typeName: 'Trailer', table: 'trailers' },
  group: { typeName: 'Group', table: 'groups' },
  device: { typeName: 'Device', table: 'devices' },
  trip: { typeName: 'Trip', table: 'trips' },
  safetyEvent: { typeName: 'SafetyEvent', table: 'safety_events' },
  hosLog: { typeName: 'HosLog', table: 'hos_logs' },
  hosDailyLog: { typeName: 'HosDailyLog', table: 'hos_daily_logs' },
  faultCodeEvent: {
    typeName: { j1939: 'J1939FaultCodeEvent', obdii: 'ObdiiFaultCodeEvent' },
    table: 'fault_code_events',
  },
  issue: { typeName: 'Issue', table: 'issues' },
} as const satisfies Partial<Record<Kind, NodeTable>>

/** Where a kind has several types, the row's `protocol` tells which. */
interface NodeTable {
  readonly typeName: string | Readonly<Record<string, string>>
  readonly table: string
}

export type NodeKind = keyof typeof nodes

export const isNodeKind = (kind: Kind | null): kind is NodeKind => kind !== null && kind in nodes

/** A node as far as its type needs it: the protocol stands in fault codes and in mentions of them. */
export interface NodeRow {
  readonly id: string
  readonly protocol?: string
}

/** The GraphQL type of a node. */
export function nodeTypeOf({ id, protocol }: NodeRow): string | undefined {
  const kind = kindOf(id)
  if (!isNodeKind(kind)) return undefined
  const { typeName }: NodeTable = nodes[kind]
  return typeof typeName === 'string' ? typeName : typeName[protocol ?? '']
}
