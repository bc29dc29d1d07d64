import type { z } from 'zod'
import type { Problem } from '../../src/domain/errors.ts'
import { didYouMean } from './did-you-mean.ts'

/** Where in a request a problem is. */
export type RequestPart = 'requestQuery' | 'requestBody' | 'requestParams' | 'requestHeaders'

/** `{requestQuery}.limit`, `{requestBody}.company.name`. */
export const pathTo = (place: RequestPart, ...names: readonly PropertyKey[]): string =>
  [`{${place}}`, ...names.map(String)].join('.')

/** What a schema found, told of the place that it read. */
export function problemOf(issue: z.core.$ZodIssue, place: RequestPart, given: unknown): Problem {
  const suggestion = suggestionOf(issue, valueAt(given, issue.path))
  return {
    message: issue.message,
    path: pathTo(place, ...issue.path),
    ...(suggestion ? { suggestion } : {}),
  }
}

export function unknownName(
  place: RequestPart,
  path: readonly PropertyKey[],
  names: readonly string[],
): Problem {
  const suggestion = didYouMean(String(path.at(-1)), names)
  return {
    message: unknownMessages[place],
    path: pathTo(place, ...path),
    ...(suggestion ? { suggestion } : {}),
  }
}

const unknownMessages: Readonly<Record<RequestPart, string>> = {
  requestQuery: 'There is no such parameter.',
  requestBody: 'There is no such member.',
  requestParams: 'There is no such parameter.',
  requestHeaders: 'There is no such header.',
}

/** What a word that is none of those allowed may mean. Of `true` and `false` nothing is guessed. */
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
