import { pathTo } from './problems.ts'
import type { Query } from './read-query.ts'
import type { Route, Variables } from '../route.ts'

/** Query parameters that the graph knows by another name. */
const variableNames: Readonly<Record<string, string>> = { cursor: 'after', limit: 'first' }

const restNames = new Map(Object.entries(variableNames).map(([rest, graph]) => [graph, rest]))

/** The variables that a query gives: each parameter is one, and so is each name that `expand` may hold. */
export function variablesOf({ expand, ...query }: Query): Variables {
  const variables: Record<string, unknown> = { ...(expand as object | undefined) }
  for (const name in query) variables[variableNames[name] ?? name] = query[name]
  return variables
}

/** The query parameter that an argument of the graph came from. */
export const parameterOf = (argument: string): string => restNames.get(argument) ?? argument

const INPUT = 'input.'

/** Where in the request of a route the graph's problem is: `input.company` came from the body, `first` from the query. */
export function restPathOf(
  path: string,
  { members, params, query }: Pick<Route, 'members' | 'params' | 'query'>,
): string {
  if (path.startsWith('{')) return path
  if (members && path.startsWith(INPUT)) return pathTo('requestBody', path.slice(INPUT.length))
  const name = path.startsWith(INPUT) ? path.slice(INPUT.length) : path
  const [parameter] = Object.keys(params ?? {})
  // `syncId` of an input stands in the path, as `id`.
  if (parameter !== undefined && (name === parameter || path.startsWith(INPUT)))
    return pathTo('requestParams', parameter)
  return pathTo('requestQuery', name in query.shape ? name : parameterOf(name))
}
