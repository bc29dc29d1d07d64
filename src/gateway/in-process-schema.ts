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
import type { ReferenceResolver, Representation, Subgraph } from '../subgraphs/schema/build-subgraph.ts'
import { selects } from '../subgraphs/schema/selection.ts'

type Resolver = GraphQLFieldResolver<unknown, unknown>

/** An entity's owner: how to get the whole of it, and which fields only the owner answers. */
interface Owner {
  readonly subgraph: Subgraph
  readonly reference: ReferenceResolver
  readonly fields: ReadonlySet<string>
}

/**
 * The API schema with the subgraphs' own resolvers in it, so that an operation over all of them runs in one
 * execution. Where a subgraph mentions an entity that another one owns, the owner's reference resolver makes it
 * whole, batched like any loader; where no field of the owner is asked for, the mention is enough.
 */
export function createInProcessSchema(
  apiSchema: GraphQLSchema,
  subgraphs: readonly Subgraph[],
): GraphQLSchema {
  const owners = ownersOf(subgraphs)
  const typeIn = (name: string): GraphQLNamedType | undefined =>
    subgraphs.map(({ schema }) => schema.getType(name)).find((type) => type !== undefined)
  const bind = (config: GraphQLFieldConfig<unknown, unknown>, fieldName: string, typeName: string) => {
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
    [MapperKind.OBJECT_FIELD]: bind,
    [MapperKind.SCALAR_TYPE]: (scalar) => {
      const ours = typeIn(scalar.name)
      return !isSpecifiedScalarType(scalar) && isScalarType(ours) ? ours : scalar
    },
    [MapperKind.ENUM_TYPE]: (enumeration) => {
      const ours = typeIn(enumeration.name)
      return isEnumType(ours) ? ours : enumeration
    },
    [MapperKind.ABSTRACT_TYPE]: (abstract) => {
      const ours = typeIn(abstract.name)
      if (isAbstractType(ours)) abstract.resolveType = ours.resolveType
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
  if (!ownerSubgraph) throw new Error(`no subgraph answers ${typeName}.${fieldName}`)
  return ownerSubgraph
}

/** The subgraph that answers a field: the owner where an entity has it, else any that has it. */
export function owningSubgraph(
  subgraphs: readonly Subgraph[],
  typeName: string,
  fieldName: string,
): Subgraph | undefined {
  const having = subgraphs.filter((subgraph) => fieldIn(subgraph, typeName, fieldName))
  return having.find(({ owned }) => typeName in owned) ?? having[0]
}

function fieldIn({ schema }: Subgraph, typeName: string, fieldName: string) {
  const type = schema.getType(typeName)
  return isObjectType(type) ? type.getFields()[fieldName] : undefined
}

/** Makes the mentions that a resolver answers whole. Undefined where a plain property is the answer. */
function resolveReferences(
  resolve: Resolver | undefined,
  { type }: GraphQLFieldConfig<unknown, unknown>,
  ownerSubgraph: Subgraph,
  owners: ReadonlyMap<string, Owner>,
): Resolver | undefined {
  const named = getNamedType(type)
  const foreign = (name: string) => {
    const owner = owners.get(name)
    return owner && owner.subgraph !== ownerSubgraph ? owner : null
  }
  if (isObjectType(named)) {
    const owner = foreign(named.name)
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
    const owner = typeof typeName === 'string' ? foreign(typeName) : null
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
    const one = (ref: unknown): unknown => {
      if (ref === null || ref === undefined) return ref
      if (Array.isArray(ref)) return ref.map(one)
      const found = find(ref as Representation, context, info)
      return found && needsOwner(found.owner, found.typeName, info)
        ? found.owner.reference(ref as Representation, context as never)
        : ref
    }
    const refs = resolve(source, args, context, info)
    return refs instanceof Promise ? refs.then(one) : one(refs)
  }
}

const needsOwner = ({ fields }: Owner, typeName: string, info: GraphQLResolveInfo): boolean =>
  selects(
    info,
    (field) => fields.has(field),
    (condition) => condition === typeName || isAbstractType(info.schema.getType(condition)),
  )
