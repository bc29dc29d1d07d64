import { z } from 'zod'
import { pageInfo, pageShape } from '../response/response-shape.ts'
import { expand, flag, modified, page, raw } from '../request/query-params.ts'
import { route } from '../route.ts'
import { providerCallErrors } from './provider-call-errors.ts'

const tag = 'Trailers'

export const listTrailers = route({
  method: 'GET',
  path: '/trailers',
  summary: 'List trailers',
  tag,
  auth: 'connection',
  query: z.object({ ...page, ...modified, raw, deleted: flag(), expand: expand('groups') }),
  operation: `
    query ListTrailers(
      $first: Int, $after: String, $modifiedAfter: DateTime, $modifiedBefore: DateTime,
      $deleted: Boolean!, $raw: Boolean!, $groups: Boolean!
    ) {
      trailers(
        first: $first, after: $after, modifiedAfter: $modifiedAfter, modifiedBefore: $modifiedBefore, deleted: $deleted
      ) { nodes { ...Trailer } ${pageInfo} }
    }`,
  response: pageShape('trailers'),
})

export const listLatestTrailerLocations = route({
  method: 'GET',
  path: '/trailers/locations',
  summary: 'List current locations of trailers',
  tag,
  auth: 'connection',
  query: z.object({ ...page, raw, expand: expand('trailer') }),
  mayFailWith: providerCallErrors,
  operation: `
    query ListLatestTrailerLocations($first: Int, $after: String, $raw: Boolean!, $trailer: Boolean!) {
      trailerLocations(first: $first, after: $after) { nodes { ...LatestTrailerLocation } ${pageInfo} }
    }`,
  response: pageShape('trailerLocations'),
})
