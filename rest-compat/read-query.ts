import type { z } from 'zod'
import { type Problem, PublicError } from '../src/errors.ts'
import { nearest } from './nearest.ts'
import type { Route } from './route.ts'

export type Query = Readonly<Record<string, unknown>>

export type UnknownParameters = 'refuse' | 'ignore'

/** Makes the reader of a route's query: what it gives is checked and whole, or it throws with every problem. */
export function queryReader(
  route: Pick<Route, 'query' | 'aliases'>,
  unknown: UnknownParameters,
): (given: Query) => Query {
  const names = Object.keys(route.query.shape)
  const whole = Object.freeze(route.query.parse({}))
  const nameOf = parameterNames(names, route.aliases ?? {})
  return (given) => {
    const texts: Record<string, string> = {}
    const problems: Problem[] = []
    for (const key in given) {
      const name = nameOf(key)
      const value = given[key]
      if (name === undefined) {
        if (unknown === 'refuse' && value !== '') problems.push(unknownParameter(key, names))
      } else if (typeof value !== 'string' || name in texts || key.includes('['))
        problems.push(repeated(name))
      else if (value !== '') texts[name] = value
    }
    const query = isEmpty(texts) ? whole : parsed(route.query, texts, problems)
    if (problems.length > 0)
      throw new PublicError('bad_request', 'The query cannot be read.', { detail: problems })
    return query
  }
}

/** Knows a parameter by its name, its aliases, and the forms `name[]` and `name[key]`. */
function parameterNames(names: readonly string[], aliases: Readonly<Record<string, string>>) {
  const known = new Map([...names.map((name): [string, string] => [name, name]), ...Object.entries(aliases)])
  return (key: string): string | undefined => known.get(key) ?? known.get(key.split('[', 1)[0] ?? '')
}

const isEmpty = (record: object): boolean => {
  for (const _ in record) return false
  return true
}

function parsed(schema: z.ZodObject, texts: Readonly<Record<string, string>>, problems: Problem[]): Query {
  const result = schema.safeParse(texts)
  if (result.success) return result.data
  problems.push(...result.error.issues.map((issue) => problemOf(issue, texts)))
  return texts
}

function problemOf(issue: z.core.$ZodIssue, texts: Readonly<Record<string, string>>): Problem {
  const name = String(issue.path[0])
  const suggestion = suggestionOf(issue, texts[name] ?? '')
  return { message: issue.message, path: inQuery(name), ...(suggestion ? { suggestion } : {}) }
}

/** What a word that is none of those allowed may mean. Of `true` and `false` nothing is guessed. */
function suggestionOf(issue: z.core.$ZodIssue, given: string): string | undefined {
  if (issue.code === 'custom') return issue.params?.['suggestion'] as string | undefined
  const values = issue.code === 'invalid_value' ? issue.values.map(String) : []
  return values.length > 2 ? nearest(given, values) : undefined
}

function unknownParameter(key: string, names: readonly string[]): Problem {
  const suggestion = nearest(key, names)
  const message = names.length === 0 ? 'This path takes no query parameters.' : 'There is no such parameter.'
  return { message, path: inQuery(key), ...(suggestion ? { suggestion } : {}) }
}

const repeated = (name: string): Problem => ({
  message: 'Give it once, without brackets.',
  path: inQuery(name),
})

export const inQuery = (name: string): string => `{requestQuery}.${name}`
