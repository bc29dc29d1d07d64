import { z } from 'zod'
import { type GraphResult, computedShape, mutationShape } from '../response/response-shape.ts'
import { days, list, since, syncMode, text, whole } from '../request/body-params.ts'
import { idSchema } from '../openapi/id-schema.ts'
import { shortLink } from '../response/selections.ts'
import { route } from '../route.ts'

const tag = 'Connections'

const wasThere = (data: GraphResult): string | null =>
  (data as { createShortLink: { replayed: boolean } }).createShortLink.replayed ? 'true' : null

/** @gap 3.8: 201 too where the same body is sent again: the answer is the one that was given before. */
export const createShortLink = route({
  method: 'POST',
  path: '/link/short',
  summary: 'Make a short address of the link pages; the same body gives the same one',
  tag,
  headers: 'key',
  query: z.object({}),
  members: whole({
    name: text.optional(),
    provider: text.optional(),
    providerHints: list(text).optional(),
    externalId: text.optional(),
    tags: list(text).optional(),
    redirectUrl: text.optional(),
    syncMode: syncMode.optional(),
    backfill: whole({ startFrom: since.optional(), days: days.optional() }).optional(),
    template: text.optional(),
  }),
  status: 201,
  answerHeaders: {
    'Idempotent-Replayed': { description: '`true` where the link was there already.', value: wasThere },
  },
  operation: `
    mutation CreateShortLink($input: CreateShortLinkInput!) {
      createShortLink(input: $input) { shortLink { ${shortLink} } replayed }
    }`,
  body: mutationShape('createShortLink', 'shortLink'),
})

/** @gap 3.8: the answer is like that of other deletions. */
export const deleteShortLink = route({
  method: 'DELETE',
  path: '/link/short/{id}',
  summary: 'End a short link',
  tag,
  headers: 'key',
  params: { id: 'shortLink' },
  query: z.object({}),
  operation: `
    mutation DeleteShortLink($id: ID!) { deleteShortLink(input: { shortLinkId: $id }) { shortLinkId } }`,
  body: computedShape(
    (data: { deleteShortLink: { shortLinkId: string } }) => ({ id: data.deleteShortLink.shortLinkId }),
    { type: 'object', properties: { id: idSchema('shortLink') }, required: ['id'] },
  ),
})
