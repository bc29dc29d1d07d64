import { z } from 'zod'
import { type ResponseShape, mutationShape } from '../response/response-shape.ts'
import { textMember, strictObject } from '../request/body-params.ts'
import { route } from '../route.ts'
import { optionalProviderCallErrors } from './provider-call-errors.ts'

const sharedDeclaration = {
  method: 'POST',
  tag: 'Passthrough',
  auth: 'connection',
  query: z.object({}),
  requestBody: strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], 'Give GET, POST, PUT, PATCH or DELETE.'),
    path: textMember.min(1, "Give a path of the provider's API."),
    headers: z.record(z.string(), textMember, 'Give an object of texts.').optional(),
    body: textMember.optional(),
  }),
  // The member `body` may have 1 MiB, and JSON escapes make it longer.
  maxBodyBytes: 2 * 1024 * 1024,
  mayFailWith: optionalProviderCallErrors,
} as const

/** Selection of the provider's response with its status and headers. */
const envelope = 'method path statusCode headers response'

export const passthrough = route({
  ...sharedDeclaration,
  path: '/passthrough',
  summary: "Send a request to the provider's own API",
  operation: `
    mutation Passthrough($input: PassthroughInput!) { passthrough(input: $input) { response { ${envelope} } } }`,
  response: mutationShape('passthrough', 'response'),
})

/** Response of the provider with its unchanged body. */
interface ProviderResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly bodyBase64: string
}

/** Writes the provider's own bytes for a successful response, and the envelope for any other response. */
const rawShape: ResponseShape = {
  writer: (writerAt) => {
    const write = writerAt(['passthrough', 'envelope'])
    return (data) => {
      const { answer, envelope: record } = data['passthrough'] as {
        answer: ProviderResponse
        envelope: unknown
      }
      if (answer.statusCode < 200 || answer.statusCode > 299) return write(record)
      return {
        status: answer.statusCode,
        contentType: contentTypeIn(answer.headers),
        bytes: Buffer.from(answer.bodyBase64, 'base64'),
      }
    }
  },
  schema: (schemaAt) => ({
    description: "The provider's own body for a successful response, the envelope for any other response.",
    anyOf: [schemaAt(['passthrough', 'envelope']), { $comment: 'Anything.' }],
  }),
  otherTypes: ['*/*'],
}

function contentTypeIn(headers: ProviderResponse['headers']): string {
  const name = Object.keys(headers).find((header) => header.toLowerCase() === 'content-type')
  return String((name && headers[name]) ?? 'application/octet-stream')
}

export const passthroughRaw = route({
  ...sharedDeclaration,
  path: '/passthrough/raw',
  summary: "Send a request to the provider's own API and return the raw response",
  operation: `
    mutation PassthroughRaw($input: PassthroughInput!) {
      passthrough(input: $input) {
        answer: response { statusCode headers bodyBase64 }
        envelope: response { ${envelope} }
      }
    }`,
  response: rawShape,
})
