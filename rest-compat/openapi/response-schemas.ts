import {
  type DocumentNode,
  type FieldNode,
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
  type OperationDefinitionNode,
  parse,
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

/**
 * Role of an object in a response: the record of the route, an expanded reference, a part of one of these, or the record
 * of an event.
 */
type Role = 'record' | 'expanded' | 'part' | 'snapshot'

interface SchemaContext {
  readonly schema: GraphQLSchema
  readonly components: Components
  /** Name for the schema of the operation's record if another schema has the type name: `CurrentConnection`. */
  readonly otherName: string
  /** Name and description of the schema of an event's record, if they are not those of its type. */
  readonly snapshot?: RecordPart | undefined
}

/** Name and description of a selection that is only a part of a record. */
export interface RecordPart {
  readonly name: string
  readonly description: string
}

/**
 * Builds the response schemas of an operation from its selection and the GraphQL types, like the serializer. A
 * non-null field is required, unless a directive can omit it.
 */
export function responseSchemas(
  document: DocumentNode,
  schema: GraphQLSchema,
  components: Components,
  otherName: string,
): SchemaAt {
  const selectionAt = selectedAt(document, schema)
  return (path) => {
    const selected = selectionAt(path)
    return schemaOf(selected.type, selected, 'record', { schema, components, otherName })
  }
}

/**
 * Builds the schema of an event's record from a selection of its type. The component has the name of the part, or a name
 * such as `VehicleSnapshot`.
 */
export function snapshotSchema(
  typeName: string,
  selection: string,
  schema: GraphQLSchema,
  components: Components,
  part?: RecordPart,
): JsonSchema {
  const [operation] = parse(`{ record { ${selection} } }`).definitions as [OperationDefinitionNode]
  const [field] = operation.selectionSet.selections as [FieldNode]
  const type = schema.getType(typeName) as GraphQLObjectType
  return schemaOf(type, { field, type }, 'snapshot', {
    schema,
    components,
    otherName: typeName,
    snapshot: part,
  })
}

function schemaOf(
  type: GraphQLOutputType,
  selected: Selected,
  role: Role,
  context: SchemaContext,
): JsonSchema {
  const value = getNullableType(type)
  if (isListType(value)) return { type: 'array', items: schemaOf(value.ofType, selected, role, context) }
  if (isEnumType(value)) return enumSchema(value, context.components)
  if (isScalarType(value)) return scalarSchemas[value.name] ?? {}
  if (isReference(selected)) return idOf(getNamedType(value), context)
  const shapes = shapesOf(selected, context.schema)
  const abstract = getNamedType(value)
  if (!isInterfaceType(abstract)) return shapeSchema(shapes[0] as Shape, role, context)
  const discriminator = discriminatorOf(abstract, context.schema)
  const choices = shapes.map((shape) => ({ shape, ref: shapeSchema(shape, role, context, discriminator) }))
  const name = role === 'snapshot' ? snapshotName(abstract.name, context) : abstract.name
  return context.components.named([name], {
    description: abstract.description,
    oneOf: choices.map(({ ref }) => ref),
    ...(discriminator
      ? {
          discriminator: {
            propertyName: discriminator.field,
            mapping: Object.fromEntries(
              choices.map(({ shape, ref }) => [discriminator.values.get(shape.type.name), ref['$ref']]),
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

/** Returns the schema of the ids of a type; any text for a type without a record kind. */
function idOf(type: GraphQLNamedType, { components }: SchemaContext): JsonSchema {
  const kind = kindNamed(type.name)
  return kind
    ? components.named([`${type.name}Id`], {
        ...idSchema(kind),
        description: `The id of a ${inWords(type.name)}.`,
      })
    : { type: 'string' }
}

/** Returns the name of a GraphQL type in words, such as `hos log`. */
const inWords = (name: string): string =>
  name.replaceAll(/(?<!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()

function shapeSchema(
  { type, fields }: Shape,
  role: Role,
  context: SchemaContext,
  discriminator: Discriminator | null = null,
): JsonSchema {
  const members = membersOf(fields)
  const description = (role === 'snapshot' && context.snapshot?.description) || type.description
  const schema = {
    type: 'object',
    ...(description ? { description } : {}),
    properties: Object.fromEntries(
      members.map((member) => [member.name, memberSchema(type, member, context, discriminator)]),
    ),
    required: members.filter((member) => isRequired(type, member)).map(({ name }) => name),
  }
  return namedSchema(type.name, role, schema, context)
}

/**
 * Names the schema of an object: a record after its type, an expanded reference `Expanded…`. A schema that already
 * has a name keeps it.
 */
function namedSchema(name: string, role: Role, schema: JsonSchema, context: SchemaContext): JsonSchema {
  const { components, otherName } = context
  if (role === 'snapshot') return components.named([snapshotName(name, context)], schema)
  const expandedName = `Expanded${name}`
  const candidates = {
    record: [name, otherName],
    expanded: [expandedName],
    part: kindNamed(name) ? [expandedName] : [name],
  }
  return (
    components.known([name, expandedName, otherName], schema) ?? components.named(candidates[role], schema)
  )
}

const snapshotName = (typeName: string, { snapshot }: SchemaContext): string =>
  snapshot?.name ?? `${typeName}Snapshot`

function memberSchema(
  type: GraphQLObjectType,
  { name, variants }: Member,
  context: SchemaContext,
  discriminator: Discriminator | null,
): JsonSchema {
  const field = type.getFields()[name] as GraphQLField<unknown, unknown>
  const annotations = {
    ...(field.description ? { description: field.description } : {}),
    ...(field.deprecationReason ? { deprecated: true } : {}),
  }
  const value = name === discriminator?.field ? discriminator.values.get(type.name) : undefined
  if (value !== undefined) return { type: 'string', const: value, ...annotations }
  const known = knownSchemas[`${type.name}.${name}`]
  if (known) return { ...known, ...annotations }
  const idMember = idMemberSchema(type, name, context)
  if (idMember) return { ...idMember, ...annotations }
  const schema =
    variants.length > 1
      ? expandableSchema(variants, context)
      : variantSchema(variants[0] as Selected, 'part', context)
  return {
    ...schema,
    ...(isWholeNumber(schema, field.description) ? { type: 'integer' } : {}),
    ...annotations,
  }
}

/**
 * Whether a number is an integer. GraphQL's Int is too small for milliseconds, so they are a Float whose description
 * starts with "Whole".
 */
const isWholeNumber = ({ type }: JsonSchema, description: string | null | undefined): boolean =>
  type === 'number' && /^whole\b/i.test(description ?? '')

/** Returns the schema of a member with an id: `id`, or a name such as `connectionId`. Null for any other member. */
function idMemberSchema(type: GraphQLObjectType, name: string, context: SchemaContext): JsonSchema | null {
  if (name === 'id') {
    const typeWithIds = [type, ...type.getInterfaces()].find((candidate) => kindNamed(candidate.name))
    return typeWithIds ? idOf(typeWithIds, context) : null
  }
  const kind = name.endsWith('Id') ? kindNamed(name.slice(0, -2)) : null
  return kind && idSchema(kind)
}

const variantSchema = (variant: Selected, role: Role, context: SchemaContext): JsonSchema =>
  schemaOf(variant.type, variant, role, context)

/**
 * Returns the schema of a reference that `expand` can name: an id or a record. In a list, each item is one of them.
 */
function expandableSchema(variants: readonly Selected[], context: SchemaContext): JsonSchema {
  const [first] = variants as [Selected]
  const item = (variant: Selected) =>
    variantSchema({ ...variant, type: getNamedType(variant.type) }, 'expanded', context)
  const either = context.components.named([`Expandable${getNamedType(first.type).name}`], {
    oneOf: variants.map(item),
  })
  return isListType(getNullableType(first.type)) ? { type: 'array', items: either } : either
}

/** Whether a member is always present. Of two variants, one is always present. */
const isRequired = (type: GraphQLObjectType, { name, variants }: Member): boolean =>
  !(`${type.name}.${name}` in omittedMembers) &&
  (variants.some(
    (variant) => isNonNullType(variant.type) && (variants.length > 1 || isUnconditional(variant)),
  ) ||
    [type, ...type.getInterfaces()].some((one) => alwaysPresent[one.name]?.includes(name)))
