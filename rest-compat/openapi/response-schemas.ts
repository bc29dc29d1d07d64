import {
  type DocumentNode,
  getNamedType,
  getNullableType,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql'
import { omittedMembers } from '../response/omitted-members.ts'
import {
  isReference,
  isUnconditional,
  type Member,
  membersOf,
  type Selected,
  selectedAt,
  type Shape,
  shapesOf,
} from '../response/selection.ts'
import type { Components } from './components.ts'
import { discriminatorOf, type Discriminator } from './discriminator.ts'
import { alwaysPresent, knownSchemas, scalarSchemas } from './overrides.ts'
import { idSchema, kindNamed } from './id-schema.ts'
import type { JsonSchema, SchemaAt } from './json-schema.ts'

/** Whether an object is the record that a route answers with, a reference written whole, or a part of a record. */
type Role = 'record' | 'expanded' | 'part'

interface Within {
  readonly schema: GraphQLSchema
  readonly components: Components
  /** The name for a record of this operation whose type's own name is taken, such as `CurrentConnection`. */
  readonly otherName: string
}

/**
 * The schemas of what an operation answers: the same selection that the writer turns into a body, read with the
 * types of the graph. What the graph calls non-null is required, unless a condition leaves it out.
 */
export function responseSchemas(
  document: DocumentNode,
  schema: GraphQLSchema,
  components: Components,
  otherName: string,
): SchemaAt {
  const at = selectedAt(document, schema)
  return (path) => {
    const selected = at(path)
    return schemaOf(selected.type, selected, 'record', { schema, components, otherName })
  }
}

function schemaOf(type: GraphQLOutputType, selected: Selected, role: Role, within: Within): JsonSchema {
  const value = getNullableType(type)
  if (isListType(value)) return { type: 'array', items: schemaOf(value.ofType, selected, role, within) }
  if (isEnumType(value)) return enumSchema(value, within.components)
  if (isScalarType(value)) return scalarSchemas[value.name] ?? {}
  if (isReference(selected)) return idOf(getNamedType(value), within)
  const shapes = shapesOf(selected, within.schema)
  const abstract = getNamedType(value)
  if (!isInterfaceType(abstract)) return shapeSchema(shapes[0] as Shape, role, within)
  const discriminator = discriminatorOf(abstract, within.schema)
  const choices = shapes.map((shape) => ({ shape, ref: shapeSchema(shape, role, within, discriminator) }))
  return within.components.named([abstract.name], {
    description: abstract.description,
    oneOf: choices.map(({ ref }) => ref),
    ...(discriminator
      ? {
          discriminator: {
            propertyName: discriminator.field,
            mapping: Object.fromEntries(
              choices.map(({ shape, ref }) => [discriminator.words.get(shape.type.name), ref['$ref']]),
            ),
          },
        }
      : {}),
  })
}

const enumSchema = (type: GraphQLEnumType, components: Components): JsonSchema =>
  components.named([type.name], {
    type: 'string',
    enum: type.getValues().map(({ name }) => name.toLowerCase()),
    description: [
      type.description,
      ...type
        .getValues()
        .map(({ name, description }) => (description ? `- \`${name.toLowerCase()}\`: ${description}` : '')),
    ]
      .filter(Boolean)
      .join('\n'),
  })

function idOf(type: GraphQLNamedType, { components }: Within): JsonSchema {
  const kind = kindNamed(type.name)
  return kind
    ? components.named([`${type.name}Id`], {
        ...idSchema(kind),
        description: `The id of a ${inRestNames(type.name)}.`,
      })
    : { type: 'string' }
}

const inRestNames = (name: string): string =>
  name.replaceAll(/(?<!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()

function shapeSchema(
  { type, fields }: Shape,
  role: Role,
  within: Within,
  discriminator: Discriminator | null = null,
): JsonSchema {
  const members = membersOf(fields)
  const schema = {
    type: 'object',
    ...(type.description ? { description: type.description } : {}),
    properties: Object.fromEntries(
      members.map((member) => [member.name, memberSchema(type, member, within, discriminator)]),
    ),
    required: members.filter((member) => isRequired(type, member)).map(({ name }) => name),
  }
  return named(type.name, role, schema, within)
}

/** A record is called by its type, a reference written whole `Expanded…`, unless the same has a name already. */
function named(name: string, role: Role, schema: JsonSchema, { components, otherName }: Within): JsonSchema {
  const expanded = `Expanded${name}`
  const free = {
    record: [name, otherName],
    expanded: [expanded],
    part: kindNamed(name) ? [expanded] : [name],
  }
  return components.known([name, expanded, otherName], schema) ?? components.named(free[role], schema)
}

function memberSchema(
  type: GraphQLObjectType,
  { name, ways }: Member,
  within: Within,
  discriminator: Discriminator | null,
): JsonSchema {
  const field = type.getFields()[name] as GraphQLField<unknown, unknown>
  const told = {
    ...(field.description ? { description: field.description } : {}),
    ...(field.deprecationReason ? { deprecated: true } : {}),
  }
  const word = name === discriminator?.field ? discriminator.words.get(type.name) : undefined
  if (word !== undefined) return { type: 'string', const: word, ...told }
  const known = knownSchemas[`${type.name}.${name}`]
  if (known) return { ...known, ...told }
  const id = ownIdOf(type, name)
  if (id) return { ...(name === 'id' ? idOf(id, within) : idSchema(kindNamed(name.slice(0, -2))!)), ...told }
  const schema = ways.length > 1 ? expandable(ways, within) : waySchema(ways[0] as Selected, 'part', within)
  return { ...schema, ...(isWhole(schema, field.description) ? { type: 'integer' } : {}), ...told }
}

/** GraphQL's Int is too small for milliseconds: of a Float only the description says that it is whole. */
const isWhole = ({ type }: JsonSchema, description: string | null | undefined): boolean =>
  type === 'number' && /^whole\b/i.test(description ?? '')

/** The type whose id a member is: `id` that of its own record. */
function ownIdOf(type: GraphQLObjectType, name: string): GraphQLNamedType | null {
  if (name === 'id') return [type, ...type.getInterfaces()].find((one) => kindNamed(one.name)) ?? null
  return name.endsWith('Id') && kindNamed(name.slice(0, -2)) ? type : null
}

const waySchema = (way: Selected, role: Role, within: Within): JsonSchema =>
  schemaOf(way.type, way, role, within)

/** An id or the whole record (decision 7); of a list each item is. */
function expandable(ways: readonly Selected[], within: Within): JsonSchema {
  const [first] = ways as [Selected]
  const item = (way: Selected) => waySchema({ ...way, type: getNamedType(way.type) }, 'expanded', within)
  const either = within.components.named([`Expandable${getNamedType(first.type).name}`], {
    oneOf: ways.map(item),
  })
  return isListType(getNullableType(first.type)) ? { type: 'array', items: either } : either
}

/** A member that is selected in two ways is always there in one of them. */
const isRequired = (type: GraphQLObjectType, { name, ways }: Member): boolean =>
  !(`${type.name}.${name}` in omittedMembers) &&
  (ways.some((way) => isNonNullType(way.type) && (ways.length > 1 || isUnconditional(way))) ||
    [type, ...type.getInterfaces()].some((one) => alwaysPresent[one.name]?.includes(name)))
