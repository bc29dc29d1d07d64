import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'

interface Schema {
  readonly [keyword: string]: unknown
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, { additionalProperties?: unknown }>> }
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Readonly<Record<string, unknown>> }>>>
  >
}

/** Returns the differences between a response and the OpenAPI document. */
export type ProblemsOf = (method: string, path: string, status: number, body: unknown) => string[]

/** Formats that the documents use. They are not validated. */
const formats = { int32: true, int64: true, double: true, string: true, 'date-time': true } as const

/**
 * Creates a validator of responses from a provider's OpenAPI document. An undocumented property is a problem. `relax`
 * corrects schemas that contradict the examples of the document.
 */
export function responseValidator(
  file: URL,
  relax: (schema: Schema) => Schema = (schema) => schema,
): ProblemsOf {
  const text = readFileSync(file, 'utf8')
  const document = JSON.parse(text, (_, value: unknown) =>
    isSchema(value) ? closed(relax(value)) : value,
  ) as Document
  for (const name of combinedSchemas(text)) delete document.components.schemas[name]?.additionalProperties
  const ajv = new Ajv({ strict: false, allErrors: true, formats })
  ajv.addSchema(document, 'document')
  const validators = new Map<string, ValidateFunction>()
  const validatorAt = (pointer: string) => {
    const validator = validators.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` })
    validators.set(pointer, validator)
    return validator
  }
  return (method, path, status, body) => {
    const known =
      path in document.paths
        ? path
        : Object.keys(document.paths).find((known) => matchesTemplate(known, path))
    const responses = known && document.paths[known]?.[method.toLowerCase()]?.responses
    if (!responses) return [`${method} ${path} is not in the document`]
    const code = String(status) in responses ? String(status) : 'default'
    const at = [
      '',
      'paths',
      known,
      method.toLowerCase(),
      'responses',
      code,
      'content',
      'application/json',
      'schema',
    ]
    const validate = validatorAt(at.map(escaped).join('/'))
    if (validate(body)) return []
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [method, path, instancePath, message, JSON.stringify(params)].join(' '),
    )
  }
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && typeof (value as Schema)['type'] === 'string'

const closed = (schema: Schema): Schema =>
  Object.keys(schema['properties'] ?? {}).length > 0 && schema['additionalProperties'] === undefined
    ? { ...schema, additionalProperties: false }
    : schema

/** Returns the schemas that `allOf` combines. Each must permit the properties of the others. */
const combinedSchemas = (text: string): string[] =>
  [...text.matchAll(/"allOf":\s*\[([^\]]*)\]/g)].flatMap(([, parts = '']) =>
    [...parts.matchAll(/schemas\/(\w+)/g)].map(([, name]) => name as string),
  )

const escaped = (step: string) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))

function matchesTemplate(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')]
  return (
    wanted.length === given.length && wanted.every((part, at) => part.startsWith('{') || part === given[at])
  )
}
