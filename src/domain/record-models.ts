import { kindOf, type Kind } from './ids.ts'

/** Models that a provider can support, by the names that `GET /providers` lists. */
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

/** Models that a sync stores, in the order in which it reads them. */
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

/** Models of which only the current value counts; polls read them. */
export const latestModels = ['LatestVehicleLocation', 'LatestTrailerLocation', 'HOSAvailableTime'] as const

export type LatestModel = (typeof latestModels)[number]

/** Models whose raw provider data is stored. */
export const rawRetainedModels = [...syncedModels, ...latestModels] as const

export type RawRetainedModel = (typeof rawRetainedModels)[number]

/** Record kinds that `node(id:)` supports, with their GraphQL type and table. */
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

/** GraphQL type and table of a kind. If a kind has several types, the `protocol` of the row selects one. */
interface NodeTable {
  readonly typeName: string | Readonly<Record<string, string>>
  readonly table: string
}

export type NodeKind = keyof typeof nodes

export const isNodeKind = (kind: Kind | null): kind is NodeKind => kind !== null && kind in nodes

/** Members of a row that determine its GraphQL type. Fault codes and references to them have a `protocol`. */
export interface NodeRow {
  readonly id: string
  readonly protocol?: string
}

/** Returns the GraphQL type of a node. */
export function nodeTypeOf({ id, protocol }: NodeRow): string | undefined {
  const kind = kindOf(id)
  if (!isNodeKind(kind)) return undefined
  const { typeName }: NodeTable = nodes[kind]
  return typeof typeName === 'string' ? typeName : typeName[protocol ?? '']
}
