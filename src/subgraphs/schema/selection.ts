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
 * The fields that a query selects of what a field answers, by name, `@skip` and `@include` heeded. With the name of
 * a type, fragments on other types are passed over.
 */
export function selects(
  info: GraphQLResolveInfo,
  wanted: (field: string) => boolean,
  applies = always,
): boolean {
  const visit = (set: SelectionSetNode): boolean =>
    set.selections.some((selection) => {
      if (!included(selection, info)) return false
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
 * Whether no more is asked for of this subgraph than ids: a mention answers that without a look-up. What other
 * subgraphs add to an entity, they look up by its id.
 */
export function selectsOnlyId(info: GraphQLResolveInfo): boolean {
  const known = answered.get(info.fieldNodes)
  if (known?.parentType === info.parentType) return known.onlyId
  const type = getNamedType(info.returnType)
  const home = homeOf(info.parentType, info.fieldName)
  const elsewhere = (field: string) => isObjectType(type) && homeOf(type, field) !== home
  const onlyId = !selects(info, (field) => field !== 'id' && field !== '__typename' && !elsewhere(field))
  if (!hasConditions(info)) answered.set(info.fieldNodes, { parentType: info.parentType, onlyId })
  return onlyId
}

/** The question is asked for every row of a page; without conditions the answer is the same for all. */
const answered = new WeakMap<readonly FieldNode[], { parentType: GraphQLObjectType; onlyId: boolean }>()

/** Whether anything in the selection depends on variables; named fragments are taken to. */
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

/** The subgraph that answers a field, where several are fused into one schema. */
const homeOf = (type: GraphQLObjectType, field: string): unknown =>
  type.getFields()[field]?.extensions['home']

const always = (_type: string) => true

function included({ directives = [] }: Pick<FieldNode, 'directives'>, info: GraphQLResolveInfo): boolean {
  return directives.every(({ name, arguments: given = [] }) => {
    const sense = name.value === 'include' ? true : name.value === 'skip' ? false : null
    const value = given[0]?.value
    if (sense === null || !value) return true
    const condition =
      value.kind === Kind.BOOLEAN
        ? value.value
        : value.kind === Kind.VARIABLE
          ? info.variableValues[value.name.value] === true
          : true
    return condition === sense
  })
}
