import { kindOf, type Kind } from './ids.ts'
import { type Model, models } from './models/models.ts'

export type ModelName = Model['name']

/** Models that a sync stores. */
export type SyncedModel = Extract<Model, { read: 'sync' }>['name']

/** Models of which only the latest state is stored. Polls read them. */
export type LatestModel = Extract<Model, { read: 'poll' }>['name']

/** Synced models with a row for each record. The other synced models are time series, which are stored in bulk. */
export type RowModel = Extract<Model, { columns: unknown }>['name']

/** Models whose raw records are stored. */
export type RawRetainedModel = SyncedModel | LatestModel

/** Normalized record of a model, which adapters produce. */
type NormalizedRecordOf<Name extends ModelName> = NonNullable<Extract<Model, { name: Name }>['record']>

export type NormalizedRecords = { readonly [Name in SyncedModel]: NormalizedRecordOf<Name> }
export type NormalizedLatestRecords = { readonly [Name in LatestModel]: NormalizedRecordOf<Name> }

const namesOfModelsReadBy = (...reads: readonly Model['read'][]): readonly ModelName[] =>
  models.filter(({ read }) => reads.includes(read)).map(({ name }) => name)

/** Names of all models. `GET /providers` lists which of them a provider supports. */
export const modelNames = models.map(({ name }) => name)

/** Models that a sync stores, in the order in which a sync reads them. */
export const syncedModels = namesOfModelsReadBy('sync') as readonly SyncedModel[]

export const latestModels = namesOfModelsReadBy('poll') as readonly LatestModel[]

export const rawRetainedModels = namesOfModelsReadBy('sync', 'poll') as readonly RawRetainedModel[]

const modelsByName = new Map(models.map((model) => [model.name, model]))

/** Returns the declaration of a model. */
export function modelNamed(name: ModelName): (typeof models)[number] {
  const model = modelsByName.get(name)
  if (!model) throw new Error(`There is no model ${name}`)
  return model
}

type ModelEvents = Extract<Model, { events: object }>['events']

/** Name of an event type about a record, such as `vehicle.added`. */
export type RecordEventName = ModelEvents extends infer Events
  ? Events extends { readonly prefix: infer Prefix extends string; readonly types: infer Types }
    ? `${Prefix}.${keyof Types & string}`
    : never
  : never

/** Event types about records, each with its name and the model of the record. */
export const recordEvents = models.flatMap((model) => {
  const { events } = model
  return events
    ? Object.entries(events.types).map(([suffix, type]) => ({
        name: `${events.prefix}.${suffix}`,
        type,
        model: { ...model, events },
      }))
    : []
})

/** GraphQL type and table of a kind of record. If a kind has several types, the `protocol` of a row determines its type. */
interface NodeTable {
  readonly typeName: string | Readonly<Record<string, string>>
  readonly table: string
}

/** Kinds of nodes that the service creates. Nodes of all other kinds come from providers. */
const ownNodes = {
  connection: { typeName: 'Connection', table: 'connections' },
  sync: { typeName: 'Sync', table: 'syncs' },
  issue: { typeName: 'Issue', table: 'issues' },
  purchaseCheck: { typeName: 'PurchaseCheck', table: 'purchase_checks' },
} as const satisfies Partial<Record<Kind, NodeTable>>

type NodeModel = Extract<Model, { node: NodeTable }>

type ModelNodes = { readonly [M in NodeModel as M['id']['kind']]: M['node'] }

/** Kinds of records that `node(id:)` supports, with their GraphQL type and table. */
export const nodes = {
  ...ownNodes,
  ...Object.fromEntries(models.flatMap(({ id, node }) => (id && node ? [[id.kind, node]] : []))),
} as typeof ownNodes & ModelNodes

export type NodeKind = keyof typeof nodes

export const nodeKinds = Object.keys(nodes) as readonly NodeKind[]

export const isNodeKind = (kind: Kind | null): kind is NodeKind => kind !== null && kind in nodes

/** Returns the names of the GraphQL types of a kind of record. */
export function typeNamesOf(kind: NodeKind): readonly string[] {
  const { typeName }: NodeTable = nodes[kind]
  return typeof typeName === 'string' ? [typeName] : Object.values(typeName)
}

/** Members of a row or reference that determine its GraphQL type. Only fault codes have a `protocol`. */
export interface NodeRow {
  readonly id: string
  readonly protocol?: string
}

/** Returns the name of a node's GraphQL type; undefined for a kind that `node(id:)` does not support. */
export function nodeTypeOf({ id, protocol }: NodeRow): string | undefined {
  const kind = kindOf(id)
  if (!isNodeKind(kind)) return undefined
  const { typeName }: NodeTable = nodes[kind]
  return typeof typeName === 'string' ? typeName : typeName[protocol ?? '']
}
