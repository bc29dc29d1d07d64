// A receiver of webhooks. It needs Node and the `standardwebhooks` package, nothing else.
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

if (!process.env.WEBHOOK_SECRET) {
  process.stderr.write('Set WEBHOOK_SECRET.\n')
  process.exit(1)
}
const webhook = new Webhook(process.env.WEBHOOK_SECRET)

/** The ids of what has come: a message may come twice, always with the same id. Keep them in your database. */
const seen = new Set()

/** The signature is over the bytes as they came: nothing is parsed before it is verified. Null where it is not good. */
async function eventIn(request) {
  const body = await buffer(request)
  try {
    return webhook.verify(body, request.headers)
  } catch {
    return null
  }
}

/** Here is the place for your own work; what takes longer than a few seconds belongs into a queue of yours. */
async function handle({ id, type, detail }) {
  process.stdout.write(`${JSON.stringify({ id, type, detail })}\n`)
}

async function answer(request, response) {
  const event = await eventIn(request)
  if (!event) return response.writeHead(401).end()
  const id = request.headers['webhook-id']
  if (!seen.has(id)) await handle(event)
  seen.add(id)
  response.writeHead(204).end()
}

const server = createServer((request, response) => {
  // What fails is answered with 500, and comes again.
  answer(request, response).catch(() => response.writeHead(500).end())
})
server.listen(Number(process.env.PORT ?? 4002), '127.0.0.1', () =>
  process.stdout.write(`webhook receiver at port ${server.address().port}\n`),
)
