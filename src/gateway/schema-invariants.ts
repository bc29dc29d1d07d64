import { type GraphQLObjectType, isObjectType } from 'graphql'
import { entityKeysOf, type Subgraph } from '../subgraphs/schema/build-subgraph.ts'

/**
 * Checks at start the rules that make the in-process schema answer like the federated schema:
 * - Every entity has the single key `id` and one owner.
 * - Every other field of an entity is in one subgraph.
 * - No directive makes a field depend on another subgraph.
 */
export function assertSchemaInvariants(subgraphs: readonly Subgraph[]): void {
  const violations = [
    ...subgraphs.flatMap(dependencyViolations),
    ...entityNames(subgraphs).flatMap((name) => entityViolations(name, subgraphs)),
  ]
  if (violations.length > 0)
    throw new Error(
      `The subgraphs violate the schema rules:\n${violations.map((violation) => `- ${violation}`).join('\n')}`,
    )
}

const DEPENDENCY_DIRECTIVES = /@(requires|provides|override|external|interfaceObject)\b/g

const dependencyViolations = ({ name, sdl }: Subgraph): string[] =>
  [...new Set(sdl.match(DEPENDENCY_DIRECTIVES))].map((directive) => `${name} uses ${directive}`)

function entityViolations(entity: string, subgraphs: readonly Subgraph[]): string[] {
  const parts = subgraphs.flatMap((subgraph) => {
    const type = entityIn(subgraph, entity)
    return type ? [{ subgraph, type }] : []
  })
  const owners = subgraphs.filter(({ owned }) => entity in owned)
  return [
    ...(owners.length === 1 ? [] : [`${entity} has ${owners.length} owners`]),
    ...parts.flatMap(({ subgraph, type }) => keyViolations(subgraph, type)),
    ...fieldViolations(entity, parts),
  ]
}

const keyViolations = ({ name }: Subgraph, type: GraphQLObjectType): string[] =>
  entityKeysOf(type)
    .map(({ fields }) => fields)
    .join() === 'id'
    ? []
    : [`${type.name} in ${name} has a key other than "id"`]

function fieldViolations(
  entity: string,
  parts: readonly { subgraph: Subgraph; type: GraphQLObjectType }[],
): string[] {
  const subgraphsByField = new Map<string, string[]>()
  for (const { subgraph, type } of parts)
    for (const field of Object.keys(type.getFields()))
      if (field !== 'id') subgraphsByField.set(field, [...(subgraphsByField.get(field) ?? []), subgraph.name])
  return [...subgraphsByField]
    .filter(([, names]) => names.length > 1)
    .map(([field, names]) => `${entity}.${field} is in ${names.join(' and ')}`)
}

const entityIn = ({ schema }: Subgraph, name: string): GraphQLObjectType | null => {
  const type = schema.getType(name)
  return isObjectType(type) && entityKeysOf(type).length > 0 ? type : null
}

const entityNames = (subgraphs: readonly Subgraph[]): string[] => [
  ...new Set(
    subgraphs.flatMap(({ schema }) =>
      Object.values(schema.getTypeMap())
        .filter(isObjectType)
        .filter((type) => entityKeysOf(type).length > 0)
        .map(({ name }) => name),
    ),
  ),
]
