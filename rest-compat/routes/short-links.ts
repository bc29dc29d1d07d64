import { z } from 'zod'
import { replayedHeader } from '../response/replayed-header.ts'
import { computedShape, mutationShape } from '../response/response-shape.ts'
import {
  days,
  list,
  dateOrDateTimeMember,
  syncMode,
  textMember,
  strictObject,
} from '../request/body-params.ts'
import { idSchema } from '../openapi/id-schema.ts'
import { shortLink } from '../response/selections.ts'
import { route } from '../route.ts'

const tag = 'Connections'

/**
 * A repeated request returns the existing link, also with 201. The specification of `/tsp/v1` defines no other status
 * for success.
 */
export const createShortLink = route({
  method: 'POST',
  path: '/link/short',
  summary:
    'Create a short URL to the pages where a fleet links its account. A request with the same body returns the existing link',
  tag,
  auth: 'key',
  query: z.object({}),
  requestBody: strictObject({
    name: textMember.optional(),
    provider: textMember.optional(),
    providerHints: list(textMember).optional(),
    externalId: textMember.optional(),
    tags: list(textMember).optional(),
    redirectUrl: textMember.optional(),
    syncMode: syncMode.optional(),
    backfill: strictObject({ startFrom: dateOrDateTimeMember.optional(), days: days.optional() }).optional(),
    template: textMember.optional(),
  }),
  status: 201,
  responseHeaders: replayedHeader('createShortLink', '`true` if the link already existed.'),
  operation: `
    mutation CreateShortLink($input: CreateShortLinkInput!) {
      createShortLink(input: $input) { shortLink { ${shortLink} } replayed }
    }`,
  response: mutationShape('createShortLink', 'shortLink'),
})

/** Returns the id of the deleted link, as for a webhook endpoint. The specification does not define this response. */
export const deleteShortLink = route({
  method: 'DELETE',
  path: '/link/short/{id}',
  summary: 'Delete a short link',
  tag,
  auth: 'key',
  params: { id: 'shortLink' },
  query: z.object({}),
  operation: `
    mutation DeleteShortLink($id: ID!) { deleteShortLink(input: { shortLinkId: $id }) { shortLinkId } }`,
  response: computedShape(
    (data: { deleteShortLink: { shortLinkId: string } }) => ({ id: data.deleteShortLink.shortLinkId }),
    { type: 'object', properties: { id: idSchema('shortLink') }, required: ['id'] },
  ),
})
