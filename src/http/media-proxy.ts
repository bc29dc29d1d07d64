import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyInstance } from 'fastify'

/** Opens the film of a token at its provider; the signal ends it. */
export type OpenMedia = (token: string, signal: AbortSignal) => Promise<Response>

const MAX_STREAM_MS = 10 * 60_000
/** What a browser shows and never runs. */
const PLAYABLE_TYPE = /^(?:video\/[\w.+-]+|image\/(?:jpeg|png|gif|webp))$/

/** `GET /media/{token}`: the film of a safety event, streamed from its provider. The address is its own key. */
export function mountMedia(app: FastifyInstance, openMedia: OpenMedia): void {
  app.get<{ Params: { '*': string } }>('/media/*', async (request, reply) => {
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(MAX_STREAM_MS)])
    const media = await openMedia(request.params['*'], signal)
    const type = media.headers.get('content-type')?.split(';', 1)[0] ?? ''
    const length = media.headers.get('content-length')
    void reply.headers({
      'content-type': PLAYABLE_TYPE.test(type) ? type : 'application/octet-stream',
      'cache-control': 'private, max-age=3600',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
      ...(length !== null && media.headers.get('content-encoding') === null
        ? { 'content-length': length }
        : {}),
    })
    return reply.send(media.body ? Readable.fromWeb(media.body as ReadableStream) : '')
  })
}
