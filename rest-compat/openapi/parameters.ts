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

/** Returns the JSON Schema of what callers send for a zod schema. */
export function inputSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const override = paramOverrides.get(zodSchema as unknown as z.ZodType)
      if (!override) return
      for (const name of Object.keys(jsonSchema)) delete (jsonSchema as Record<string, unknown>)[name]
      Object.assign(jsonSchema, override.schema)
    },
  })
  return inputSchema
}

const idempotencyKey: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A key of your choice, such as a UUID. For a day, a repetition with the same key gets the response to the first request, with `Idempotent-Replayed: true`, and has no further effect.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/** Returns the path, query and header parameters of a route. */
export function parametersOf(route: Route, document: DocumentNode, schema: GraphQLSchema): JsonSchema[] {
  const descriptions = argumentDescriptions(document, schema)
  const path = Object.entries(route.params ?? {}).map(([name, kind]) => ({
    name,
    in: 'path',
    required: true,
    schema: idSchema(kind),
  }))
  const query = Object.entries(route.query.shape).map(([name, shape]) => {
    const parameter = shape as z.ZodType
    const description = paramOverrides.get(parameter)?.description ?? descriptions.get(name)
    const inputSchema = inputSchemaOf(parameter)
    return {
      name,
      in: 'query',
      ...(description === undefined ? {} : { description }),
      ...(isRequired(parameter) ? { required: true } : {}),
      schema: inputSchema,
      // A list is one value, separated by commas.
      ...(inputSchema['type'] === 'array' ? { style: 'form', explode: false } : {}),
    }
  })
  return [...path, ...query, ...(route.method === 'GET' ? [] : [idempotencyKey])]
}

/** Whether a parameter or member with this schema is required. */
export const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success

/** Returns the descriptions of parameters: those of the GraphQL arguments that use them. */
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
  const { properties = {}, ...inputSchema } = inputSchemaOf(requestBody) as {
    properties?: Readonly<Record<string, JsonSchema>>
  }
  const descriptions = inputDescriptions(document, schema)
  const describedProperties = Object.entries(properties).map(([name, member]) => {
    const description = descriptions.get(name)
    return [name, description === undefined ? member : { ...member, description }]
  })
  return {
    required: Object.values(requestBody.shape).some((member) => isRequired(member as z.ZodType)),
    content: {
      'application/json': { schema: { ...inputSchema, properties: Object.fromEntries(describedProperties) } },
    },
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
