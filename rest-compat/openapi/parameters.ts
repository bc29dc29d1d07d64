import {
  type DocumentNode,
  type GraphQLSchema,
  Kind as NodeKind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { z } from 'zod'
import { parameterOf } from '../request/variable-names.ts'
import { paramOverrides } from './param-overrides.ts'
import type { Route } from '../route.ts'
import { idSchema } from './id-schema.ts'
import type { JsonSchema } from './json-schema.ts'

/** Converts a zod schema to the JSON Schema of its input. */
export function sentSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...sent } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const publication = paramOverrides.get(zodSchema as unknown as z.ZodType)
      if (!publication) return
      for (const name of Object.keys(jsonSchema)) delete (jsonSchema as Record<string, unknown>)[name]
      Object.assign(jsonSchema, publication.schema)
    },
  })
  return sent
}

/** Returns the path and query parameters of a route. */
export function parametersOf(route: Route, document: DocumentNode, schema: GraphQLSchema): JsonSchema[] {
  const descriptions = argumentDescriptions(document, schema)
  const path = Object.entries(route.params ?? {}).map(([name, kind]) => ({
    name,
    in: 'path',
    required: true,
    schema: idSchema(kind),
  }))
  const query = Object.entries(route.query.shape).map(([name, sent]) => {
    const description = paramOverrides.get(sent as z.ZodType)?.description ?? descriptions.get(name)
    const published = sentSchema(sent as z.ZodType)
    return {
      name,
      in: 'query',
      ...(description === undefined ? {} : { description }),
      ...(isRequired(sent as z.ZodType) ? { required: true } : {}),
      schema: published,
      // Lists are written as one value, separated by commas.
      ...(published['type'] === 'array' ? { style: 'form', explode: false } : {}),
    }
  })
  return [...path, ...query]
}

/** Returns whether a member of a schema is required. */
export const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success

/** Maps each parameter to the description of the GraphQL argument that uses it. */
function argumentDescriptions(document: DocumentNode, schema: GraphQLSchema): Map<string, string> {
  const descriptions = new Map<string, string>()
  const types = new TypeInfo(schema)
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument({ value }) {
        const description = types.getArgument()?.description
        if (value.kind === NodeKind.VARIABLE && description)
          descriptions.set(parameterOf(value.name.value), description)
      },
    }),
  )
  return descriptions
}

/** Returns the request body of a route. Descriptions of members come from the GraphQL input type. */
export function requestBodyOf(
  { requestBody }: Route,
  document: DocumentNode,
  schema: GraphQLSchema,
): JsonSchema | null {
  if (!requestBody) return null
  const { properties = {}, ...sent } = sentSchema(requestBody) as {
    properties?: Readonly<Record<string, JsonSchema>>
  }
  const descriptions = inputDescriptions(document, schema)
  const described = Object.entries(properties).map(([name, member]) => {
    const description = descriptions.get(name)
    return [name, description === undefined ? member : { ...member, description }]
  })
  return {
    required: Object.values(requestBody.shape).some((member) => isRequired(member as z.ZodType)),
    content: { 'application/json': { schema: { ...sent, properties: Object.fromEntries(described) } } },
  }
}

function inputDescriptions(document: DocumentNode, schema: GraphQLSchema): Map<string, string> {
  const descriptions = new Map<string, string>()
  visit(document, {
    VariableDefinition({ type }) {
      const named = type.kind === NodeKind.NON_NULL_TYPE ? type.type : type
      const input = named.kind === NodeKind.NAMED_TYPE ? schema.getType(named.name.value) : undefined
      if (!input || !('getFields' in input)) return
      for (const { name, description } of Object.values(input.getFields()))
        if (description) descriptions.set(name, description)
    },
  })
  return descriptions
}
