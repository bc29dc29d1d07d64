import type { FastifyInstance } from 'fastify'
import { parseRawBodies, rawBody } from './bodies/raw-body.ts'

/** Webhook request of a provider: headers by lower-case name, and the raw body. */
interface NotificationMessage {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

/**
 * Handles a message. It returns `refused` if the signature is invalid, and `unknown` if no webhook has the token.
 */
export type ReceiveNotification = (
  token: string,
  message: NotificationMessage,
) => Promise<'taken' | 'refused' | 'unknown'>

/** One message may have several records. */
const BODY_LIMIT_BYTES = 1024 * 1024

const responses = {
  taken: { status: 200, body: {} },
  refused: {
    status: 403,
    body: { code: 'forbidden', message: 'The signature of the provider is invalid.' },
  },
  unknown: { status: 404, body: { code: 'not_found', message: 'The webhook does not exist.' } },
} as const

/**
 * Mounts `POST /provider-webhooks/{token}`, by which providers notify the service of new data. The response
 * does not wait for the sync.
 */
export function mountProviderWebhooks(app: FastifyInstance, receive: ReceiveNotification): void {
  app.register(async (scope) => {
    parseRawBodies(scope)
    scope.post<{ Params: { token: string } }>(
      '/provider-webhooks/:token',
      { bodyLimit: BODY_LIMIT_BYTES },
      async ({ params, headers, body }, reply) => {
        const message = { headers: withoutLists(headers), body: rawBody(body) }
        const response = responses[await receive(params.token, message)]
        return reply.code(response.status).send(response.body)
      },
    )
  })
}

/** Drops `set-cookie`, the only header that Node returns as a list. */
const withoutLists = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): NotificationMessage['headers'] =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
