import {
  type DirectiveNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  valueFromASTUntyped,
} from 'graphql'

/** Variables of a request, with their default values. */
export type Values = Readonly<Record<string, unknown>>

const ALWAYS = () => true

/**
 * Returns a predicate: whether `@skip` and `@include` select a field or fragment. A condition whose variable
 * has no value selects it.
 */
export function conditionOf({ directives = [] }: SelectionNode): (values: Values) => boolean {
  const conditions = directives.flatMap(readCondition)
  if (conditions.length === 0) return ALWAYS
  return (values) => conditions.every((condition) => condition(values))
}

/** Returns the names of the variables in `@skip` and `@include`. */
export function conditionsIn(directives: readonly DirectiveNode[] = []): string[] {
  return directives
    .filter(isCondition)
    .flatMap(({ arguments: args = [] }) => args)
    .flatMap(({ value }) => (value.kind === Kind.VARIABLE ? [value.name.value] : []))
}

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include'

function readCondition(directive: DirectiveNode): ((values: Values) => boolean)[] {
  if (!isCondition(directive)) return []
  const { name, arguments: args = [] } = directive
  const value = args.find((argument) => argument.name.value === 'if')?.value
  const excludingValue = name.value === 'skip'
  if (value?.kind === Kind.BOOLEAN) return [() => value.value !== excludingValue]
  if (value?.kind === Kind.VARIABLE) return [(values) => values[value.name.value] !== excludingValue]
  return []
}

/** Returns the variables of a request, completed with the default values of the operation. */
export function valuesOf(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Values | null | undefined,
): Values {
  const defaults = variableDefinitions.flatMap(({ variable: { name }, defaultValue }) =>
    defaultValue && variables?.[name.value] === undefined
      ? [[name.value, valueFromASTUntyped(defaultValue)] as const]
      : [],
  )
  return defaults.length === 0 ? (variables ?? {}) : { ...variables, ...Object.fromEntries(defaults) }
}
