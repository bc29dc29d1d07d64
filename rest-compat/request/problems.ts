import type { z } from 'zod'
import type { Problem } from '../../src/domain/errors.ts'
import { didYouMean } from './did-you-mean.ts'

/** Part of a request in which a problem is. */
export type RequestPart = 'requestQuery' | 'requestBody' | 'requestParams' | 'requestHeaders'

/** Returns the path of a problem, such as `{requestQuery}.limit` or `{requestBody}.company.name`. */
export const pathTo = (part: RequestPart, ...names: readonly PropertyKey[]): string =>
  [`{${part}}`, ...names.map(String)].join('.')

/** Converts an issue of a zod schema to a problem of a request part, whose value is `given`. */
export function problemOf(issue: z.core.$ZodIssue, part: RequestPart, given: unknown): Problem {
  const value = valueAt(given, issue.path)
  const suggestion = suggestionOf(issue, value)
  const isMissing = part === 'requestBody' && value === undefined
  return {
    message: isMissing ? `This member is missing. ${issue.message}` : issue.message,
    path: pathTo(part, ...issue.path),
    ...(suggestion ? { suggestion } : {}),
  }
}

/** Returns the problem of an unknown name in a request part; `names` are the known names. */
export function unknownNameProblem(
  part: RequestPart,
  path: readonly PropertyKey[],
  names: readonly string[],
): Problem {
  const suggestion = didYouMean(String(path.at(-1)), names)
  return {
    message: unknownMessages[part],
    path: pathTo(part, ...path),
    ...(suggestion ? { suggestion } : {}),
  }
}

const unknownMessages: Readonly<Record<RequestPart, string>> = {
  requestQuery: 'There is no such parameter.',
  requestBody: 'There is no such member.',
  requestParams: 'There is no such parameter.',
  requestHeaders: 'There is no such header.',
}

/**
 * Returns the suggestion of a custom issue, or the enum value that is closest to an invalid one. An enum of two
 * values, such as `true` and `false`, gets no suggestion.
 */
function suggestionOf(issue: z.core.$ZodIssue, given: unknown): string | undefined {
  if (issue.code === 'custom') return issue.params?.['suggestion'] as string | undefined
  const values = issue.code === 'invalid_value' ? issue.values.map(String) : []
  return values.length > 2 && typeof given === 'string' ? didYouMean(given, values) : undefined
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let value = given
  for (const name of path)
    value = (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name]
  return value
}
