import {
  type GraphQLSchema,
  type InterfaceTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  printSchema,
} from 'graphql'
import {
  SCOPE_DIRECTIVE,
  scopeDirectiveOfRoot,
  scopeDirectiveOfType,
} from './authorization/scope-directives.ts'
import { COST_DIRECTIVES, costDirectiveOfArgument, costDirectivesOf } from './cost/cost-directives.ts'

/** Returns the SDL of a schema, with the costs and the required scopes of its fields in directives, for tools. */
export function annotatedSdl(schema: GraphQLSchema): string {
  const sdl = printSchema(schema)
  const roots = new Set(
    [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].map((type) => type?.name),
  )
  let text = `${COST_DIRECTIVES}\n${SCOPE_DIRECTIVE}\n`
  let end = 0
  const insertAt = (position: number, directives: string) => {
    text += sdl.slice(end, position) + directives
    end = position
  }
  for (const type of parse(sdl).definitions) {
    if (type.kind !== Kind.OBJECT_TYPE_DEFINITION && type.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue
    const { value: typeName } = type.name
    const known = schema.getType(typeName)
    if (known) insertAt(endOfHeader(type), scopeDirectiveOfType(known, schema))
    for (const { name, arguments: args = [], type: returned } of type.fields ?? []) {
      for (const { name: argument, type: taken } of args)
        insertAt(taken.loc?.end ?? end, costDirectiveOfArgument(typeName, name.value, argument.value))
      const scopes = roots.has(typeName) ? scopeDirectiveOfRoot(name.value) : ''
      insertAt(returned.loc?.end ?? end, costDirectivesOf(schema, typeName, name.value) + scopes)
    }
  }
  return `${text}${sdl.slice(end)}\n`
}

/** Returns the position after the name of a type and its interfaces. */
const endOfHeader = ({ name, interfaces }: ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode): number =>
  (interfaces?.at(-1) ?? name).loc?.end ?? 0
