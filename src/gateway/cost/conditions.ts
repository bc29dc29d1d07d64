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

/** Returns whether `@skip` and `@include` select a field or fragment. A condition without a value selects it. */
export function conditionOf({ directives = [] }: SelectionNode): (values: Values) => boolean {
  const conditions = directives.flatMap(readCondition)
  if (conditions.length === 0) return ALWAYS
  return (values) => conditions.every((condition) => condition(values))
}

function readCondition({ name, arguments: args = [] }: DirectiveNode): ((values: Values) => boolean)[] {
  if (name.value !== 'skip' && name.value !== 'include') return []
  const value = args.find((argument) => argument.name.value === 'if')?.value
  const excludes = name.value === 'skip'
  if (value?.kind === Kind.BOOLEAN) return [() => value.value !== excludes]
  if (value?.kind === Kind.VARIABLE) return [(values) => values[value.name.value] !== excludes]
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
