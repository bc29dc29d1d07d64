import { z } from 'zod'
import { type ResponseShape, mutationShape } from '../response/response-shape.ts'
import { text, whole } from '../request/body-params.ts'
import { route } from '../route.ts'
import { live } from './live.ts'

const call = {
  method: 'POST',
  tag: 'Passthrough',
  headers: 'connection',
  query: z.object({}),
  members: whole({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], 'Give GET, POST, PUT, PATCH or DELETE.'),
    path: text.min(1, "Give a path of the provider's interface."),
    headers: z.record(z.string(), text, 'Give an object of texts.').optional(),
    body: text.optional(),
  }),
  // A body of 1 MiB, in which JSON escapes every other character.
  largestBody: 2 * 1024 * 1024,
  mayFailWith: live,
} as const

const envelope = 'method path statusCode headers response'

export const passthrough = route({
  ...call,
  path: '/passthrough',
  summary: "Call the provider's own interface",
  operation: `
    mutation Passthrough($input: PassthroughInput!) { passthrough(input: $input) { response { ${envelope} } } }`,
  body: mutationShape('passthrough', 'response'),
})

/** How the provider answered, with its body as it came. */
interface Answer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly bodyBase64: string
}

/** The provider's own bytes where it agreed, the envelope where it did not. */
const rawBody: ResponseShape = {
  writer: (writerAt) => {
    const write = writerAt(['passthrough', 'envelope'])
    return (data) => {
      const { answer, envelope: told } = data['passthrough'] as { answer: Answer; envelope: unknown }
      if (answer.statusCode < 200 || answer.statusCode > 299) return write(told)
      return {
        status: answer.statusCode,
        contentType: contentTypeIn(answer.headers),
        bytes: Buffer.from(answer.bodyBase64, 'base64'),
      }
    }
  },
  schema: (schemaAt) => ({
    description: "The provider's own JSON where it agreed, the envelope where it did not.",
    anyOf: [schemaAt(['passthrough', 'envelope']), { $comment: 'Anything.' }],
  }),
  otherTypes: ['*/*'],
}

function contentTypeIn(headers: Answer['headers']): string {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'content-type')
  return String((name && headers[name]) ?? 'application/octet-stream')
}

export const passthroughRaw = route({
  ...call,
  path: '/passthrough/raw',
  summary: "Call the provider's own interface for its bytes",
  operation: `
    mutation PassthroughRaw($input: PassthroughInput!) {
      passthrough(input: $input) {
        answer: response { statusCode headers bodyBase64 }
        envelope: response { ${envelope} }
      }
    }`,
  body: rawBody,
})
