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
  const type = getNamedType(info.returnType)
  const home = homeOf(info.parentType, info.fieldName)
  const elsewhere = (field: string) => isObjectType(type) && homeOf(type, field) !== home
  return !selects(info, (field) => field !== 'id' && field !== '__typename' && !elsewhere(field))
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
