import { createServer } from 'node:http'
import { type Event, verifyWebhook, WebhookVerificationError } from '@odograph/client'

/** Accepts messages signed with one of the secrets. During a rotation, pass the old and the new secret. */
export const receiver = (secrets: readonly string[], handle: (event: Event) => Promise<void>) =>
  createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    try {
      // The same event can arrive twice. Its id identifies it.
      await handle(await verifyWebhook(request.headers, Buffer.concat(chunks), secrets))
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end()
    }
  })
