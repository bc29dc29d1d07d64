import { compositionHasErrors, composeServices } from '@theguild/federation-composition'
import { buildASTSchema, type GraphQLSchema, parse } from 'graphql'
import { validateScalars } from './execution/validated-scalars.ts'

export interface Supergraph {
  readonly sdl: string
  /** Public schema, without federation types and directives. */
  readonly apiSchema: GraphQLSchema
}

/** Subgraph that takes part in the composition: one of this service, or a custom one. */
export interface ComposedSubgraph {
  readonly name: string
  readonly sdl: string
  /** The composition needs a URL. Nothing requests it, so it defaults to a placeholder with the name. */
  readonly url?: string
}

/** Composes subgraphs into a supergraph. If that fails, throws one error that lists all composition errors. */
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
    apiSchema: validateScalars(buildASTSchema(parse(result.publicSdl))),
  }
}
