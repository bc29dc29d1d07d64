import type { z } from 'zod'
import { type Problem, PublicError } from '../../src/domain/errors.ts'
import { pathTo, problemOf, unknownNameProblem } from './problems.ts'
import type { Route } from '../route.ts'

export type QueryParams = Readonly<Record<string, unknown>>

/** Whether an unknown query parameter or body member is an error, or is ignored. */
export type UnknownParameterPolicy = 'refuse' | 'ignore'

/**
 * Creates a function that validates the query parameters of a route. It throws one error with every problem. An
 * empty parameter counts as absent.
 */
export function createQueryReader(
  route: Pick<Route, 'query' | 'aliases'>,
  unknownParameters: UnknownParameterPolicy,
): (given: QueryParams) => QueryParams {
  const names = Object.keys(route.query.shape)
  const defaults = defaultsOf(route.query)
  const nameOf = parameterLookup(names, route.aliases ?? {})
  return (given) => {
    const texts: Record<string, string> = {}
    const problems: Problem[] = []
    for (const key in given) {
      const name = nameOf(key)
      const value = given[key]
      if (name === undefined) {
        if (unknownParameters === 'refuse' && value !== '') problems.push(unknownParameter(key, names))
      } else if (typeof value !== 'string' || name in texts || key.includes('['))
        problems.push(repeatedParameter(name))
      else if (value !== '') texts[name] = value
    }
    const query = defaults && isEmpty(texts) ? defaults : parseOrReport(route.query, texts, problems)
    if (problems.length > 0)
      throw new PublicError('bad_request', 'The query cannot be read.', { detail: problems })
    return query
  }
}

/** Returns the validated query of a request without parameters; null if the route requires a parameter. */
function defaultsOf(schema: z.ZodObject): QueryParams | null {
  const { data } = schema.safeParse({})
  return data ? Object.freeze(data) : null
}

/**
 * Returns a function that finds the parameter of a query key, by its name or an alias. It ignores brackets, so that the
 * error about `name[]` can name the parameter.
 */
function parameterLookup(names: readonly string[], aliases: Readonly<Record<string, string>>) {
  const known = new Map([...names.map((name): [string, string] => [name, name]), ...Object.entries(aliases)])
  return (key: string): string | undefined => known.get(key) ?? known.get(key.split('[', 1)[0] ?? '')
}

const isEmpty = (record: object): boolean => {
  for (const _ in record) return false
  return true
}

function parseOrReport(
  schema: z.ZodObject,
  texts: Readonly<Record<string, string>>,
  problems: Problem[],
): QueryParams {
  const result = schema.safeParse(texts)
  if (result.success) return result.data
  const reported = new Set(problems.map(({ path }) => path))
  const found = result.error.issues.map((issue) => problemOf(issue, 'requestQuery', texts))
  // A repeated parameter already has a problem. Its other problems, such as that it is missing, are not reported.
  problems.push(...found.filter(({ path }) => !reported.has(path)))
  return texts
}

const unknownParameter = (key: string, names: readonly string[]): Problem => {
  const problem = unknownNameProblem('requestQuery', [key], names)
  return names.length === 0 ? { ...problem, message: 'This path accepts no query parameters.' } : problem
}

const repeatedParameter = (name: string): Problem => ({
  message: 'Send the parameter once, without brackets.',
  path: pathTo('requestQuery', name),
})
