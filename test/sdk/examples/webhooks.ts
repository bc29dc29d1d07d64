import { createServer } from 'node:http'
import { type Event, verifyWebhook, WebhookVerificationError } from '@odograph/client'

/** Takes webhooks that are signed with one of the secrets; while a secret is rotated, give both. */
export const receiver = (secrets: readonly string[], take: (event: Event) => Promise<void>) =>
  createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    try {
      // The same event can come twice: go by its id.
      await take(await verifyWebhook(request.headers, Buffer.concat(chunks), secrets))
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end()
    }
  })
