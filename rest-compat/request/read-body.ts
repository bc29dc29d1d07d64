import type { z } from 'zod'
import { type Problem, PublicError } from '../../src/domain/errors.ts'
import { pathTo, problemOf, unknownName } from './problems.ts'
import type { UnknownParameters } from './read-query.ts'

type Members = Readonly<Record<string, unknown>>

const MESSAGE = 'The body cannot be read.'

/**
 * Creates the reader of a JSON body. An empty body counts as an object without members, because some clients
 * send `application/json` without a body.
 */
export function bodyReader(
  members: z.ZodObject | undefined,
  unknown: UnknownParameters,
): (text: unknown) => Members {
  return (text) => {
    const given = parsed(text)
    if (!members) return unknown === 'refuse' ? requireEmpty(given) : {}
    const result = members.safeParse(given)
    if (result.success) return result.data
    const { issues } = result.error
    if (unknown === 'ignore' && issues.some(isUnknown)) return readKnown(members, given, issues)
    throw refused(issues.flatMap((issue) => problemsOf(issue, members, given)))
  }
}

function parsed(text: unknown): Members {
  if (typeof text !== 'string' || text.trim() === '') return {}
  const value = valueOf(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members
  throw refused([{ message: 'Send a JSON object.', path: pathTo('requestBody') }])
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw refused([{ message: 'The body is not valid JSON.', path: pathTo('requestBody') }], cause)
  }
}

const refused = (detail: readonly Problem[], cause?: unknown) =>
  new PublicError('bad_request', MESSAGE, { detail, cause })

function requireEmpty(given: Members): Members {
  const names = Object.keys(given)
  if (names.length > 0)
    throw refused(
      names.map((name) => ({ message: 'This path accepts no body.', path: pathTo('requestBody', name) })),
    )
  return given
}

type Issue = z.core.$ZodIssue

const isUnknown = (issue: Issue) => issue.code === 'unrecognized_keys'

/** Reads a body without its unknown members. */
function readKnown(members: z.ZodObject, given: Members, issues: readonly Issue[]): Members {
  const known = structuredClone(given)
  for (const issue of issues)
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) delete (valueAt(known, issue.path) as Record<string, unknown>)[key]
  const result = members.safeParse(known)
  if (result.success) return result.data
  throw refused(result.error.issues.map((issue) => problemOf(issue, 'requestBody', known)))
}

function problemsOf(issue: Issue, members: z.ZodObject, given: Members): Problem[] {
  if (issue.code !== 'unrecognized_keys') return [problemOf(issue, 'requestBody', given)]
  const names = namesAt(members, issue.path)
  return issue.keys.map((key) => unknownName('requestBody', [...issue.path, key], names))
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((part, name) => (part as Record<PropertyKey, unknown>)[name], value)

/** Returns the known members of a body at a path. */
function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const [name, ...rest] = path
  const { shape, element, innerType, options } = schema._zod.def as Partial<SchemaDefinition>
  if (innerType) return namesAt(innerType, path)
  if (options) return [...new Set(options.flatMap((option) => namesAt(option, path)))]
  if (name === undefined) return Object.keys(shape ?? {})
  const part = shape?.[String(name)] ?? element
  return part ? namesAt(part, rest) : []
}

/** Nested schemas of a zod schema: of objects, arrays, wrappers and unions. */
interface SchemaDefinition {
  readonly shape: Readonly<Record<string, z.core.$ZodType>>
  readonly element: z.core.$ZodType
  readonly innerType: z.core.$ZodType
  readonly options: readonly z.core.$ZodType[]
}
