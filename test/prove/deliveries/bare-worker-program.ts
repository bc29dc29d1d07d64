import { Worker } from 'bullmq'
import { Agent, request } from 'undici'

/** A hand-written BullMQ worker that posts the body of each job with undici. */

export interface BareOrders {
  readonly queue: string
  readonly redisUrl: string
  readonly prefix: string
  readonly url: string
  readonly concurrency: number
}

export interface BareJob {
  readonly body: string
}

const { queue, redisUrl, prefix, url, concurrency } = JSON.parse(process.argv[2] ?? '') as BareOrders
const { hostname, port } = new URL(redisUrl)
const agent = new Agent({ connections: concurrency })

const worker = new Worker<BareJob>(
  queue,
  async ({ data }) => {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: data.body,
      dispatcher: agent,
      headersTimeout: 15_000,
      bodyTimeout: 15_000,
    })
    await answer.body.dump()
    if (answer.statusCode < 200 || answer.statusCode > 299) throw new Error(`status ${answer.statusCode}`)
  },
  {
    connection: { host: hostname, port: Number(port || 6379), maxRetriesPerRequest: null },
    prefix,
    concurrency,
  },
)
worker.on('error', (error) => console.error(error))
process.on('disconnect', () => process.exit())
