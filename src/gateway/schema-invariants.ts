import { type GraphQLObjectType, isObjectType } from 'graphql'
import { keysOf, type Subgraph } from '../subgraphs/schema/build-subgraph.ts'

/**
 * The rules that make the fused schema answer like the federated one, checked when the service starts: every entity
 * has the one key `id` and one owner, its other fields have one subgraph each, and no directive makes a field
 * depend on another subgraph's.
 */
export function assertSchemaInvariants(subgraphs: readonly Subgraph[]): void {
  const broken = [
    ...subgraphs.flatMap(dependentFields),
    ...entityNames(subgraphs).flatMap((name) => entityRules(name, subgraphs)),
  ]
  if (broken.length > 0)
    throw new Error(`The subgraphs break the schema rules:\n${broken.map((rule) => `- ${rule}`).join('\n')}`)
}

const DEPENDENT = /@(requires|provides|override|external|interfaceObject)\b/g

const dependentFields = ({ name, sdl }: Subgraph): string[] =>
  [...new Set(sdl.match(DEPENDENT))].map((directive) => `${name} uses ${directive}`)

function entityRules(entity: string, subgraphs: readonly Subgraph[]): string[] {
  const parts = subgraphs.flatMap((subgraph) => {
    const type = entityIn(subgraph, entity)
    return type ? [{ subgraph, type }] : []
  })
  const owners = subgraphs.filter(({ owned }) => entity in owned)
  return [
    ...(owners.length === 1 ? [] : [`${entity} has ${owners.length} owners`]),
    ...parts.flatMap(({ subgraph, type }) => keyRule(subgraph, type)),
    ...fieldRules(entity, parts),
  ]
}

const keyRule = ({ name }: Subgraph, type: GraphQLObjectType): string[] =>
  keysOf(type)
    .map(({ fields }) => fields)
    .join() === 'id'
    ? []
    : [`${type.name} in ${name} has another key than "id"`]

function fieldRules(
  entity: string,
  parts: readonly { subgraph: Subgraph; type: GraphQLObjectType }[],
): string[] {
  const homes = new Map<string, string[]>()
  for (const { subgraph, type } of parts)
    for (const field of Object.keys(type.getFields()))
      if (field !== 'id') homes.set(field, [...(homes.get(field) ?? []), subgraph.name])
  return [...homes]
    .filter(([, names]) => names.length > 1)
    .map(([field, names]) => `${entity}.${field} is in ${names.join(' and ')}`)
}

const entityIn = ({ schema }: Subgraph, name: string): GraphQLObjectType | null => {
  const type = schema.getType(name)
  return isObjectType(type) && keysOf(type).length > 0 ? type : null
}

const entityNames = (subgraphs: readonly Subgraph[]): string[] => [
  ...new Set(
    subgraphs.flatMap(({ schema }) =>
      Object.values(schema.getTypeMap())
        .filter(isObjectType)
        .filter((type) => keysOf(type).length > 0)
        .map(({ name }) => name),
    ),
  ),
]
