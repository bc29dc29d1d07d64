import { MapperKind, mapSchema } from '@graphql-tools/utils'
import {
  defaultFieldResolver,
  getNamedType,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql'
import type { ReferenceResolver, Representation, Subgraph } from '../../subgraphs/schema/build-subgraph.ts'
import { selects } from '../../subgraphs/schema/selection.ts'

type Resolver = GraphQLFieldResolver<unknown, unknown>

/** Owner of an entity: its reference resolver, and the fields that only the owner resolves. */
interface Owner {
  readonly subgraph: Subgraph
  readonly reference: ReferenceResolver
  readonly fields: ReadonlySet<string>
}

/**
 * Creates the API schema with the subgraphs' own resolvers, so that one execution spans all subgraphs. If a
 * subgraph returns a reference to an entity of another subgraph, the owner's reference resolver loads the
 * entity, batched by a loader. If the operation selects no field of the owner, the reference itself is returned.
 */
export function createInProcessSchema(
  apiSchema: GraphQLSchema,
  subgraphs: readonly Subgraph[],
): GraphQLSchema {
  const owners = ownersOf(subgraphs)
  const typeIn = (name: string): GraphQLNamedType | undefined =>
    subgraphs.map(({ schema }) => schema.getType(name)).find((type) => type !== undefined)
  const bindField = (config: GraphQLFieldConfig<unknown, unknown>, fieldName: string, typeName: string) => {
    const ownerSubgraph = requireOwningSubgraph(typeName, fieldName, subgraphs)
    const field = fieldIn(ownerSubgraph, typeName, fieldName)
    const resolve = resolveReferences(field?.resolve, config, ownerSubgraph, owners)
    return {
      ...config,
      extensions: { ...config.extensions, home: ownerSubgraph.name },
      ...(resolve ? { resolve } : {}),
      ...(field?.subscribe ? { subscribe: field.subscribe } : {}),
    }
  }
  return mapSchema(apiSchema, {
    [MapperKind.OBJECT_FIELD]: bindField,
    [MapperKind.SCALAR_TYPE]: (scalar) => {
      const subgraphType = typeIn(scalar.name)
      return !isSpecifiedScalarType(scalar) && isScalarType(subgraphType) ? subgraphType : scalar
    },
    [MapperKind.ENUM_TYPE]: (enumeration) => {
      const subgraphType = typeIn(enumeration.name)
      return isEnumType(subgraphType) ? subgraphType : enumeration
    },
    [MapperKind.ABSTRACT_TYPE]: (abstract) => {
      const subgraphType = typeIn(abstract.name)
      if (isAbstractType(subgraphType)) abstract.resolveType = subgraphType.resolveType
      return abstract
    },
  })
}

function ownersOf(subgraphs: readonly Subgraph[]): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>()
  for (const subgraph of subgraphs)
    for (const [name, reference] of Object.entries(subgraph.owned)) {
      const type = subgraph.schema.getType(name)
      if (!isObjectType(type)) throw new Error(`${subgraph.name} owns ${name}, but has no such type`)
      const fields = new Set(Object.keys(type.getFields()).filter((field) => field !== 'id'))
      owners.set(name, { subgraph, reference, fields })
    }
  return owners
}

function requireOwningSubgraph(
  typeName: string,
  fieldName: string,
  subgraphs: readonly Subgraph[],
): Subgraph {
  const ownerSubgraph = owningSubgraph(subgraphs, typeName, fieldName)
  if (!ownerSubgraph) throw new Error(`no subgraph resolves ${typeName}.${fieldName}`)
  return ownerSubgraph
}

/**
 * Returns the subgraph that resolves a field. If the owner of the entity has the field, this is the owner, else the
 * first subgraph with the field.
 */
export function owningSubgraph(
  subgraphs: readonly Subgraph[],
  typeName: string,
  fieldName: string,
): Subgraph | undefined {
  const candidates = subgraphs.filter((subgraph) => fieldIn(subgraph, typeName, fieldName))
  return candidates.find(({ owned }) => typeName in owned) ?? candidates[0]
}

function fieldIn({ schema }: Subgraph, typeName: string, fieldName: string) {
  const type = schema.getType(typeName)
  return isObjectType(type) ? type.getFields()[fieldName] : undefined
}

/**
 * Wraps a resolver so that owners resolve the entity references in its result. Returns undefined if the default
 * property resolver suffices.
 */
function resolveReferences(
  resolve: Resolver | undefined,
  { type }: GraphQLFieldConfig<unknown, unknown>,
  ownerSubgraph: Subgraph,
  owners: ReadonlyMap<string, Owner>,
): Resolver | undefined {
  const named = getNamedType(type)
  const otherOwner = (name: string) => {
    const owner = owners.get(name)
    return owner && owner.subgraph !== ownerSubgraph ? owner : null
  }
  if (isObjectType(named)) {
    const owner = otherOwner(named.name)
    return owner
      ? withResolvedReferences(resolve ?? defaultFieldResolver, () => ({ owner, typeName: named.name }))
      : resolve
  }
  if (!isAbstractType(named)) return resolve
  return withResolvedReferences(resolve ?? defaultFieldResolver, (ref, context, info) => {
    const abstract = info.schema.getType(named.name)
    const typeName = isAbstractType(abstract)
      ? abstract.resolveType?.(ref, context, info, abstract)
      : undefined
    const owner = typeof typeName === 'string' ? otherOwner(typeName) : null
    return owner && typeof typeName === 'string' ? { owner, typeName } : null
  })
}

type FindOwner = (
  ref: Representation,
  context: unknown,
  info: GraphQLResolveInfo,
) => { owner: Owner; typeName: string } | null

function withResolvedReferences(resolve: Resolver, find: FindOwner): Resolver {
  return (source, args, context, info) => {
    const resolveOne = (ref: unknown): unknown => {
      if (ref === null || ref === undefined) return ref
      if (Array.isArray(ref)) return ref.map(resolveOne)
      const found = find(ref as Representation, context, info)
      return found && needsOwner(found.owner, found.typeName, info)
        ? found.owner.reference(ref as Representation, context as never)
        : ref
    }
    const refs = resolve(source, args, context, info)
    return refs instanceof Promise ? refs.then(resolveOne) : resolveOne(refs)
  }
}

const needsOwner = ({ fields }: Owner, typeName: string, info: GraphQLResolveInfo): boolean =>
  selects(
    info,
    (field) => fields.has(field),
    (condition) => condition === typeName || isAbstractType(info.schema.getType(condition)),
  )
