import { z } from 'zod'
import { type GraphResult, computedShape, mutationShape } from '../response/response-shape.ts'
import { days, list, since, syncMode, textMember, whole } from '../request/body-params.ts'
import { idSchema } from '../openapi/id-schema.ts'
import { shortLink } from '../response/selections.ts'
import { route } from '../route.ts'

const tag = 'Connections'

const replayedHeader = (data: GraphResult): string | null =>
  (data as { createShortLink: { replayed: boolean } }).createShortLink.replayed ? 'true' : null

/**
 * A repeated request also returns 201, with the existing link. The specification does not define its status.
 */
export const createShortLink = route({
  method: 'POST',
  path: '/link/short',
  summary: 'Create a short link to the link pages; the same body returns the same link',
  tag,
  headers: 'key',
  query: z.object({}),
  members: whole({
    name: textMember.optional(),
    provider: textMember.optional(),
    providerHints: list(textMember).optional(),
    externalId: textMember.optional(),
    tags: list(textMember).optional(),
    redirectUrl: textMember.optional(),
    syncMode: syncMode.optional(),
    backfill: whole({ startFrom: since.optional(), days: days.optional() }).optional(),
    template: textMember.optional(),
  }),
  status: 201,
  answerHeaders: {
    'Idempotent-Replayed': { description: '`true` if the link already existed.', value: replayedHeader },
  },
  operation: `
    mutation CreateShortLink($input: CreateShortLinkInput!) {
      createShortLink(input: $input) { shortLink { ${shortLink} } replayed }
    }`,
  body: mutationShape('createShortLink', 'shortLink'),
})

/** Returns the id, the same as other deletions. The specification does not define the response. */
export const deleteShortLink = route({
  method: 'DELETE',
  path: '/link/short/{id}',
  summary: 'Delete a short link',
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
