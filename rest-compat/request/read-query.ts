import type { z } from 'zod'
import { type Problem, PublicError } from '../../src/domain/errors.ts'
import { pathTo, problemOf, unknownName } from './problems.ts'
import type { Route } from '../route.ts'

export type Query = Readonly<Record<string, unknown>>

export type UnknownParameters = 'refuse' | 'ignore'

/** Makes the reader of a route's query: what it gives is checked and whole, or it throws with every problem. */
export function queryReader(
  route: Pick<Route, 'query' | 'aliases'>,
  unknown: UnknownParameters,
): (given: Query) => Query {
  const names = Object.keys(route.query.shape)
  const whole = wholeOf(route.query)
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
    const query = whole && isEmpty(texts) ? whole : parsed(route.query, texts, problems)
    if (problems.length > 0)
      throw new PublicError('bad_request', 'The query cannot be read.', { detail: problems })
    return query
  }
}

/** What a query without parameters gives, or null where one is required. */
function wholeOf(schema: z.ZodObject): Query | null {
  const { data } = schema.safeParse({})
  return data ? Object.freeze(data) : null
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
  const told = new Set(problems.map(({ path }) => path))
  const found = result.error.issues.map((issue) => problemOf(issue, 'requestQuery', texts))
  // A parameter that was given wrongly is not missing besides.
  problems.push(...found.filter(({ path }) => !told.has(path)))
  return texts
}

const unknownParameter = (key: string, names: readonly string[]): Problem => {
  const problem = unknownName('requestQuery', [key], names)
  return names.length === 0 ? { ...problem, message: 'This path takes no query parameters.' } : problem
}

const repeated = (name: string): Problem => ({
  message: 'Give it once, without brackets.',
  path: pathTo('requestQuery', name),
})
