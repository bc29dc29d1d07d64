import type { Query } from './read-query.ts'
import type { Variables } from './route.ts'

/** Query parameters that the graph knows by another name. */
const graphNames: Readonly<Record<string, string>> = { cursor: 'after', limit: 'first' }

const restNames = new Map(Object.entries(graphNames).map(([rest, graph]) => [graph, rest]))

/** The variables that a query gives: each parameter is one, and so is each name that `expand` may hold. */
export function variablesOf({ expand, ...query }: Query): Variables {
  const variables: Record<string, unknown> = { ...(expand as object | undefined) }
  for (const name in query) variables[graphNames[name] ?? name] = query[name]
  return variables
}

/** The query parameter that an argument of the graph came from. */
export const parameterOf = (argument: string): string => restNames.get(argument) ?? argument
