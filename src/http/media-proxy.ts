import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyInstance } from 'fastify'
import { deadlineSignal } from '../platform/lifecycle/deadline.ts'

/** Opens the media of a token at its provider. The signal aborts the transfer. */
export type OpenMedia = (token: string, signal: AbortSignal) => Promise<Response>

const MAX_STREAM_MS = 10 * 60_000
/** Content types that a browser displays and never executes. */
const PLAYABLE_TYPE = /^(?:video\/[\w.+-]+|image\/(?:jpeg|png|gif|webp))$/

/**
 * Mounts `GET /media/{token}`, which streams the media of a safety event from its provider. The token in the
 * URL authorizes the request.
 */
export function mountMedia(app: FastifyInstance, openMedia: OpenMedia): void {
  app.get<{ Params: { '*': string } }>('/media/*', async (request, reply) => {
    const disconnected = new AbortController()
    reply.raw.once('close', () => disconnected.abort())
    const signal = AbortSignal.any([disconnected.signal, deadlineSignal(MAX_STREAM_MS)])
    const media = await openMedia(request.params['*'], signal)
    const type = media.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    const length = media.headers.get('content-length')
    void reply.headers({
      'content-type': PLAYABLE_TYPE.test(type) ? type : 'application/octet-stream',
      'cache-control': 'private, max-age=3600',
      'content-disposition': 'inline',
      // `fetch` has decoded a compressed body, so its length no longer matches.
      ...(length !== null && media.headers.get('content-encoding') === null
        ? { 'content-length': length }
        : {}),
    })
    return reply.send(media.body ? Readable.fromWeb(media.body as ReadableStream) : '')
  })
}
