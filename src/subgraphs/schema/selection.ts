import {
  type FieldNode,
  getNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'

/**
 * Whether an operation selects a wanted field directly below the current field. Respects `@skip` and `@include`.
 * Fragments on types for which `applies` returns false are ignored.
 */
export function selects(
  info: GraphQLResolveInfo,
  wanted: (field: string) => boolean,
  applies = always,
): boolean {
  const visit = (set: SelectionSetNode): boolean =>
    set.selections.some((selection) => {
      if (!isIncluded(selection, info)) return false
      if (selection.kind === Kind.FIELD) return wanted(selection.name.value)
      if (selection.kind === Kind.INLINE_FRAGMENT)
        return (
          (!selection.typeCondition || applies(selection.typeCondition.name.value)) &&
          visit(selection.selectionSet)
        )
      const fragment = info.fragments[selection.name.value]
      return (
        fragment !== undefined && applies(fragment.typeCondition.name.value) && visit(fragment.selectionSet)
      )
    })
  return info.fieldNodes.some((node) => node.selectionSet !== undefined && visit(node.selectionSet))
}

/**
 * Whether an operation selects only ids from this subgraph. A reference then suffices, and the database is not read.
 * Other subgraphs load the fields that they add to an entity by its id.
 */
export function selectsOnlyId(info: GraphQLResolveInfo): boolean {
  const cached = cachedResults.get(info.fieldNodes)
  if (cached?.parentType === info.parentType) return cached.onlyId
  const type = getNamedType(info.returnType)
  const owner = owningSubgraph(info.parentType, info.fieldName)
  const isForeign = (field: string) => isObjectType(type) && owningSubgraph(type, field) !== owner
  const onlyId = !selects(info, (field) => field !== 'id' && field !== '__typename' && !isForeign(field))
  if (!hasConditions(info)) cachedResults.set(info.fieldNodes, { parentType: info.parentType, onlyId })
  return onlyId
}

/** Cache for `selectsOnlyId`, which runs for every row of a page. Only results without conditions are cached. */
const cachedResults = new WeakMap<readonly FieldNode[], { parentType: GraphQLObjectType; onlyId: boolean }>()

/** Whether a selection can depend on variables. Named fragments count as conditions, because they are not searched. */
function hasConditions({ fieldNodes }: GraphQLResolveInfo): boolean {
  const visit = (set: SelectionSetNode): boolean =>
    set.selections.some(
      (selection) =>
        selection.kind === Kind.FRAGMENT_SPREAD ||
        (selection.directives?.length ?? 0) > 0 ||
        (selection.kind === Kind.INLINE_FRAGMENT && visit(selection.selectionSet)),
    )
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && visit(selectionSet))
}

/** Returns the subgraph that resolves a field in the in-process schema; undefined in a single subgraph. */
const owningSubgraph = (type: GraphQLObjectType, field: string): unknown =>
  type.getFields()[field]?.extensions['home']

const always = (_type: string) => true

function isIncluded({ directives = [] }: Pick<FieldNode, 'directives'>, info: GraphQLResolveInfo): boolean {
  return directives.every(({ name, arguments: args = [] }) => {
    const includeIf = name.value === 'include' ? true : name.value === 'skip' ? false : null
    const value = args[0]?.value
    if (includeIf === null || !value) return true
    const condition =
      value.kind === Kind.BOOLEAN
        ? value.value
        : value.kind === Kind.VARIABLE
          ? info.variableValues[value.name.value] === true
          : true
    return condition === includeIf
  })
}
