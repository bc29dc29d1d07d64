import type { z } from 'zod'
import { type Problem, PublicError } from '../../src/domain/errors.ts'
import { pathTo, problemOf, unknownNameProblem } from './problems.ts'
import type { UnknownParameterPolicy } from './read-query.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Creates a function that validates the JSON body of a route. An empty body counts as an object without members,
 * because some clients send `application/json` without a body.
 */
export function createBodyReader(
  schema: z.ZodObject | undefined,
  unknownParameters: UnknownParameterPolicy,
): (text: unknown) => Members {
  return (text) => {
    const given = parsed(text)
    if (!schema) return unknownParameters === 'refuse' ? requireEmpty(given) : {}
    const result = schema.safeParse(given)
    if (result.success) return result.data
    const { issues } = result.error
    if (unknownParameters === 'ignore' && issues.some(isUnknownMember))
      return readKnown(schema, given, issues)
    throw bodyError(issues.flatMap((issue) => problemsOf(issue, schema, given)))
  }
}

function parsed(text: unknown): Members {
  if (typeof text !== 'string' || text.trim() === '') return {}
  const value = valueOf(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members
  throw bodyError([{ message: 'Send a JSON object.', path: pathTo('requestBody') }])
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw bodyError([{ message: 'The body is not valid JSON.', path: pathTo('requestBody') }], cause)
  }
}

const bodyError = (detail: readonly Problem[], cause?: unknown) =>
  new PublicError('bad_request', 'The body cannot be read.', { detail, cause })

function requireEmpty(given: Members): Members {
  const names = Object.keys(given)
  if (names.length > 0)
    throw bodyError(
      names.map((name) => ({
        message: 'This path accepts no body: remove this member.',
        path: pathTo('requestBody', name),
      })),
    )
  return given
}

type Issue = z.core.$ZodIssue

const isUnknownMember = (issue: Issue) => issue.code === 'unrecognized_keys'

/** Reads a body without its unknown members. */
function readKnown(schema: z.ZodObject, given: Members, issues: readonly Issue[]): Members {
  const known = structuredClone(given)
  for (const issue of issues)
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) delete (valueAt(known, issue.path) as Record<string, unknown>)[key]
  const result = schema.safeParse(known)
  if (result.success) return result.data
  throw bodyError(result.error.issues.map((issue) => problemOf(issue, 'requestBody', known)))
}

function problemsOf(issue: Issue, schema: z.ZodObject, given: Members): Problem[] {
  if (issue.code !== 'unrecognized_keys') return [problemOf(issue, 'requestBody', given)]
  const names = namesAt(schema, issue.path)
  return issue.keys.map((key) => unknownNameProblem('requestBody', [...issue.path, key], names))
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((part, name) => (part as Record<PropertyKey, unknown>)[name], value)

/** Returns the names of the members that a schema knows at a path of the body. */
function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const [name, ...rest] = path
  const { shape, element, innerType, options } = schema._zod.def as Partial<SchemaDefinition>
  if (innerType) return namesAt(innerType, path)
  if (options) return [...new Set(options.flatMap((option) => namesAt(option, path)))]
  if (name === undefined) return Object.keys(shape ?? {})
  const part = shape?.[String(name)] ?? element
  return part ? namesAt(part, rest) : []
}

/** Nested schemas in zod's definition of an object, an array, a wrapper such as `optional`, or a union. */
interface SchemaDefinition {
  readonly shape: Readonly<Record<string, z.core.$ZodType>>
  readonly element: z.core.$ZodType
  readonly innerType: z.core.$ZodType
  readonly options: readonly z.core.$ZodType[]
}
