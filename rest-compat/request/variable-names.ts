import { pathTo } from './problems.ts'
import type { Query } from './read-query.ts'
import type { Route, Variables } from '../route.ts'

/** GraphQL variables of query parameters with another name. */
const variableNames: Readonly<Record<string, string>> = { cursor: 'after', limit: 'first' }

const restNames = new Map(Object.entries(variableNames).map(([rest, graph]) => [graph, rest]))

/** Returns the variables of a query: one for each parameter and one for each possible name in `expand`. */
export function variablesOf({ expand, ...query }: Query): Variables {
  const variables: Record<string, unknown> = { ...(expand as object | undefined) }
  for (const name in query) variables[variableNames[name] ?? name] = query[name]
  return variables
}

/** Returns the query parameter of a GraphQL argument. */
export const parameterOf = (argument: string): string => restNames.get(argument) ?? argument

const INPUT = 'input.'

/**
 * Maps the path of a GraphQL problem to the request: `input.company` comes from the body, `first` from the
 * query.
 */
export function restPathOf(
  path: string,
  { requestBody, params, query }: Pick<Route, 'requestBody' | 'params' | 'query'>,
): string {
  if (path.startsWith('{')) return path
  if (requestBody && path.startsWith(INPUT)) return pathTo('requestBody', path.slice(INPUT.length))
  const name = path.startsWith(INPUT) ? path.slice(INPUT.length) : path
  const [parameter] = Object.keys(params ?? {})
  // `syncId` of an input comes from the path parameter `id`.
  if (parameter !== undefined && (name === parameter || path.startsWith(INPUT)))
    return pathTo('requestParams', parameter)
  return pathTo('requestQuery', name in query.shape ? name : parameterOf(name))
}
