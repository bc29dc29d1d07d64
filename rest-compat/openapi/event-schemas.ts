import { type GraphQLSchema, Kind, parseType, type TypeNode } from 'graphql'
import { selectionWithIds } from '../response/record-selection.ts'
import { eventRecordParts, eventRecords } from '../response/selections.ts'
import type { Components } from './components.ts'
import { idSchema } from './id-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { scalarSchemas } from './overrides.ts'
import { snapshotSchema } from './response-schemas.ts'

/** Declaration of an event type. */
interface EventDeclaration {
  readonly description: string
  /** Other names that an event has for clients that request them. */
  readonly aliases?: readonly string[]
  /** Members of the detail, with their types in the notation of GraphQL. */
  readonly detail: Readonly<Record<string, string>>
}

/** Declarations of event types by name. */
export type EventDeclarations = Readonly<Record<string, EventDeclaration>>

/** Returns a reference to the schema of each event type. Its component has a name such as `VehicleAddedEvent`. */
export function eventSchemas(
  events: EventDeclarations,
  schema: GraphQLSchema,
  components: Components,
): ReadonlyMap<string, JsonSchema> {
  return new Map(
    Object.entries(events).map(([name, { description, aliases = [], detail }]) => {
      const envelope = {
        type: 'object',
        description,
        properties: {
          id: { ...eventId, description: 'The id of the event.' },
          type: { type: 'string', enum: [name, ...aliases], description: 'The type of the event.' },
          timestamp: { ...scalarSchemas['DateTime'], description: 'When the event was stored.' },
          detail: detailSchema(detail, schema, components),
        },
        required: ['id', 'type', 'timestamp', 'detail'],
      }
      return [name, components.named([componentName(name)], envelope)]
    }),
  )
}

const eventId: JsonSchema = idSchema('event')

/** Returns the name of the component of an event type, such as `VehicleAddedEvent` for `vehicle.added`. */
const componentName = (type: string): string =>
  `${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`

function detailSchema(
  members: EventDeclaration['detail'],
  schema: GraphQLSchema,
  components: Components,
): JsonSchema {
  const types = Object.entries(members).map(([name, notation]) => [name, parseType(notation)] as const)
  return {
    type: 'object',
    description: 'The record at the time of the event, and its connection.',
    properties: Object.fromEntries(
      types.map(([name, type]) => [name, memberSchema(type, schema, components)]),
    ),
    required: types.filter(([, { kind }]) => kind === Kind.NON_NULL_TYPE).map(([name]) => name),
  }
}

function memberSchema(type: TypeNode, schema: GraphQLSchema, components: Components): JsonSchema {
  if (type.kind === Kind.NON_NULL_TYPE) return memberSchema(type.type, schema, components)
  if (type.kind === Kind.LIST_TYPE)
    return { type: 'array', items: memberSchema(type.type, schema, components) }
  const { value: name } = type.name
  const scalar = scalarSchemas[name]
  if (scalar) return scalar
  if (name in eventRecordParts) {
    const { type: typeName, selection, description } = eventRecordParts[name as keyof typeof eventRecordParts]
    return snapshotSchema(typeName, selection, schema, components, { name, description })
  }
  return snapshotSchema(name, eventRecords[name] ?? selectionWithIds(name, schema), schema, components)
}
