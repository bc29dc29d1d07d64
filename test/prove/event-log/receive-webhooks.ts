import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import type { ReaderOrders } from './followers/following.ts'
import { ReceiptFile, type LoggedEvent } from './receipt-file.ts'

/** One of this many requests gets status 500. */
const ONE_FAILS_OF = 2000

/** One endpoint of the receiver. Its secret is in a file next to its notebook. */
class Inbox {
  private readonly receiptFile: ReceiptFile
  private secret = ''
  private verifiers: readonly { verify(body: string, headers: Record<string, string>): unknown }[] = []

  constructor(private readonly path: string) {
    this.receiptFile = new ReceiptFile(path)
    this.learnSecret()
  }

  learnSecret(): void {
    const secret = readFileSync(secretFile(this.path), 'utf8')
    if (secret === this.secret) return
    this.secret = secret
    this.verifiers = [new StandardWebhook(secret), new SvixWebhook(secret)]
  }

  /** Throws if a signature is invalid, or if the message id is not the event id. */
  take(body: Buffer, headers: Record<string, string>): void {
    const text = body.toString()
    for (const verifier of this.verifiers) verifier.verify(text, headers)
    const event = JSON.parse(text) as LoggedEvent
    if (event.id !== headers['webhook-id'] || event.id !== headers['svix-id'])
      throw new Error(`${event.id} arrived as message ${headers['webhook-id']}, ${headers['svix-id']}`)
    this.receiptFile.note(event, body)
  }
}

export const secretFile = (receiptFile: string): string => `${receiptFile}.secret`

/**
 * Verifies every message with both libraries, records it and responds 204; sometimes 500 before or after
 * that.
 */
export async function receiveWebhooks(
  { notebooks, port }: ReaderOrders,
  report: (problem: string) => void,
): Promise<void> {
  const begun = once(process, 'message')
  process.send?.({ isReady: true })
  await begun
  const inboxes = new Map(Object.entries(notebooks).map(([name, path]) => [`/${name}`, new Inbox(path)]))
  const server = createServer((request, response) => {
    void statusOf(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    )
  })
  process.on('message', (order) => {
    if (order === 'cut') server.closeAllConnections()
    for (const inbox of inboxes.values()) inbox.learnSecret()
  })
  server.listen(port, '127.0.0.1')

  async function statusOf(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const draw = Math.floor(Math.random() * ONE_FAILS_OF)
    if (draw === 0) return 500
    try {
      inboxes.get(request.url ?? '')?.take(Buffer.concat(chunks), request.headers as Record<string, string>)
    } catch (error) {
      report(`webhook ${request.url}: ${(error as Error).message}`)
      return 400
    }
    return draw === 1 ? 500 : 204
  }
}
