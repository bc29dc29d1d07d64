import type { FastifyInstance } from 'fastify'

/** A message as it came: its headers by their names in small letters, and its bytes. */
interface Message {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

export type ReceiveNotification = (
  token: string,
  message: Message,
) => Promise<'taken' | 'refused' | 'unknown'>

const BODY_LIMIT_BYTES = 1024 * 1024

const answers = {
  taken: { status: 200, body: {} },
  refused: {
    status: 403,
    body: { code: 'forbidden', message: 'The signature is not that of the provider.' },
  },
  unknown: { status: 404, body: { code: 'not_found', message: 'There is no such webhook.' } },
} as const

/** `POST /provider-webhooks/{token}`: where a provider tells that there is something new. It is answered at once. */
export function mountProviderWebhooks(app: FastifyInstance, take: ReceiveNotification): void {
  app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES },
      (_request, body, done) => done(null, body),
    )
    hooks.post<{ Params: { token: string } }>(
      '/provider-webhooks/:token',
      { bodyLimit: BODY_LIMIT_BYTES },
      async ({ params, headers, body }, reply) => {
        const message = {
          headers: singleHeader(headers),
          body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        }
        const answer = answers[await take(params.token, message)]
        return reply.code(answer.status).send(answer.body)
      },
    )
  })
}

/** A header that comes more than once is none that a provider sends. */
const singleHeader = (headers: Readonly<Record<string, string | string[] | undefined>>): Message['headers'] =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
