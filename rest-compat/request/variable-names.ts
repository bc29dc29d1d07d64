import { pathTo } from './problems.ts'
import type { QueryParams } from './read-query.ts'
import type { Route, Variables } from '../route.ts'

/** GraphQL variables by query parameter, where their names differ. */
const variableNames: Readonly<Record<string, string>> = { cursor: 'after', limit: 'first' }

const parameterNames = new Map(
  Object.entries(variableNames).map(([parameter, variable]) => [variable, parameter]),
)

/** Converts query parameters to GraphQL variables. Each name that `expand` accepts becomes a boolean variable. */
export function variablesOf({ expand, ...query }: QueryParams): Variables {
  const variables: Record<string, unknown> = { ...(expand as object | undefined) }
  for (const name in query) variables[variableNames[name] ?? name] = query[name]
  return variables
}

/** Returns the query parameter of a GraphQL argument. */
export const parameterOf = (argument: string): string => parameterNames.get(argument) ?? argument

const INPUT = 'input.'

/**
 * Returns the place in the REST request for the path of a GraphQL problem: `{requestBody}.company` for
 * `input.company`, `{requestQuery}.limit` for `first`.
 */
export function restPathOf(
  path: string,
  { requestBody, params, query }: Pick<Route, 'requestBody' | 'params' | 'query'>,
): string {
  // The path of a place in the REST request.
  if (path.startsWith('{')) return path
  if (requestBody && path.startsWith(INPUT)) return pathTo('requestBody', path.slice(INPUT.length))
  const name = path.startsWith(INPUT) ? path.slice(INPUT.length) : path
  const [parameter] = Object.keys(params ?? {})
  // A route without a body fills the input from the parameter of its URL: `input.syncId` comes from `id`.
  if (parameter !== undefined && (name === parameter || path.startsWith(INPUT)))
    return pathTo('requestParams', parameter)
  return pathTo('requestQuery', name in query.shape ? name : parameterOf(name))
}
