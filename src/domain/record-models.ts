import { kindOf, type Kind } from './ids.ts'
import { type Model, models } from './models/models.ts'

export type ModelName = Model['name']

/** Models that a sync stores. */
export type SyncedModel = Extract<Model, { read: 'sync' }>['name']

/** Models of which only the current value counts; polls read them. */
export type LatestModel = Extract<Model, { read: 'poll' }>['name']

/** Models with one row for each record. */
export type RowModel = Extract<Model, { columns: unknown }>['name']

/** Models whose raw provider data is stored. */
export type RawRetainedModel = SyncedModel | LatestModel

/** Record that adapters produce for a model. */
type NormalizedRecordOf<Name extends ModelName> = NonNullable<Extract<Model, { name: Name }>['record']>

export type NormalizedRecords = { readonly [Name in SyncedModel]: NormalizedRecordOf<Name> }
export type NormalizedLatestRecords = { readonly [Name in LatestModel]: NormalizedRecordOf<Name> }

const namesOf = (...reads: readonly Model['read'][]): readonly ModelName[] =>
  models.filter(({ read }) => reads.includes(read)).map(({ name }) => name)

/** Models that a provider can support, by the names that `GET /providers` lists. */
export const modelNames = models.map(({ name }) => name)

/** Models that a sync stores, in the order in which it reads them. */
export const syncedModels = namesOf('sync') as readonly SyncedModel[]

export const latestModels = namesOf('poll') as readonly LatestModel[]

export const rawRetainedModels = namesOf('sync', 'poll') as readonly RawRetainedModel[]

const byName = new Map(models.map((model) => [model.name, model]))

/** Returns the declaration of a model. */
export function modelNamed(name: ModelName): (typeof models)[number] {
  const model = byName.get(name)
  if (!model) throw new Error(`no model ${name}`)
  return model
}

type ModelEvents = Extract<Model, { events: object }>['events']

/** Names of the event types of records, such as `vehicle.added`. */
export type RecordEventName = ModelEvents extends infer Events
  ? Events extends { readonly prefix: infer Prefix extends string; readonly types: infer Types }
    ? `${Prefix}.${keyof Types & string}`
    : never
  : never

/** Event types of records, each with its name and its model. */
export const recordEvents = models.flatMap((model) => {
  const { events } = model
  return events
    ? Object.entries(events.types).map(([verb, type]) => ({
        name: `${events.prefix}.${verb}`,
        type,
        model: { ...model, events },
      }))
    : []
})

/** GraphQL type and table of a kind. If a kind has several types, the `protocol` of the row selects one. */
interface NodeTable {
  readonly typeName: string | Readonly<Record<string, string>>
  readonly table: string
}

const ownNodes = {
  connection: { typeName: 'Connection', table: 'connections' },
  sync: { typeName: 'Sync', table: 'syncs' },
  issue: { typeName: 'Issue', table: 'issues' },
} as const satisfies Partial<Record<Kind, NodeTable>>

type NodeModel = Extract<Model, { node: NodeTable }>

type ModelNodes = { readonly [M in NodeModel as M['id']['kind']]: M['node'] }

/** Record kinds that `node(id:)` supports, with their GraphQL type and table. */
export const nodes = {
  ...ownNodes,
  ...Object.fromEntries(models.flatMap(({ id, node }) => (id && node ? [[id.kind, node]] : []))),
} as typeof ownNodes & ModelNodes

export type NodeKind = keyof typeof nodes

export const nodeKinds = Object.keys(nodes) as readonly NodeKind[]

export const isNodeKind = (kind: Kind | null): kind is NodeKind => kind !== null && kind in nodes

/** Returns the GraphQL types of a kind. */
export function typeNamesOf(kind: NodeKind): readonly string[] {
  const { typeName }: NodeTable = nodes[kind]
  return typeof typeName === 'string' ? [typeName] : Object.values(typeName)
}

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
