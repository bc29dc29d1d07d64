import { compositionHasErrors, composeServices } from '@theguild/federation-composition'
import { buildASTSchema, type GraphQLSchema, parse } from 'graphql'

export interface Supergraph {
  readonly sdl: string
  /** What callers see: no federation in it. */
  readonly apiSdl: string
  readonly apiSchema: GraphQLSchema
}

/** A subgraph as composition knows it: one of ours, or an operator's own by its address. */
export interface ComposedSubgraph {
  readonly name: string
  readonly sdl: string
  readonly url?: string
}

/** Composes subgraphs into a supergraph, or throws with every reason why they do not fit. */
export function compose(subgraphs: readonly ComposedSubgraph[]): Supergraph {
  const result = composeServices(
    subgraphs.map(({ name, sdl, url = `http://${name}` }) => ({ name, url, typeDefs: parse(sdl) })),
  )
  if (compositionHasErrors(result))
    throw new Error(
      `The subgraphs do not compose:\n${result.errors.map(({ message }) => `- ${message}`).join('\n')}`,
    )
  return {
    sdl: result.supergraphSdl,
    apiSdl: result.publicSdl,
    apiSchema: buildASTSchema(parse(result.publicSdl)),
  }
}
