import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Queue } from 'bullmq'
import { cpuSeconds } from '../support/process-cpu.ts'
import type { Home } from '../support/service-process.ts'
import type { BareJob, BareOrders } from './bare-worker-program.ts'
import type { CountingReceiver } from './counting-receiver.ts'
import type { Side } from './deliveries.ts'

const PROGRAM = join(process.cwd(), 'dist/test/prove/deliveries/bare-worker-program.js')
const AT_ONCE = 1000
/** Retries of a hand-written worker. */
const RETRIES = { attempts: 8, backoff: { type: 'exponential', delay: 5000 } }

/** Fills a queue with the bodies, then starts the worker that posts them. */
export async function bareSide(
  { environment }: Home,
  receiver: CountingReceiver,
  bodies: readonly string[],
  concurrency: number,
): Promise<Side> {
  const redisUrl = String(environment['REDIS_URL'])
  const orders: BareOrders = {
    queue: 'bare',
    redisUrl,
    prefix: `${environment['QUEUE_PREFIX']}-bare`,
    url: receiver.url,
    concurrency,
  }
  await fill(orders, bodies)
  receiver.begin()
  const worker = spawn(process.execPath, [PROGRAM, JSON.stringify(orders)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  try {
    const counted = await receiver.receives(bodies.length)
    const [cpu = 0] = cpuSeconds([worker.pid])
    return { ...counted, cpuSeconds: cpu }
  } finally {
    const exited = once(worker, 'exit')
    worker.kill('SIGKILL')
    await exited
  }
}

async function fill({ queue: name, redisUrl, prefix }: BareOrders, bodies: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(redisUrl)
  const queue = new Queue<BareJob>(name, {
    connection: { host: hostname, port: Number(port || 6379) },
    prefix,
  })
  await queue.waitUntilReady()
  await queue.obliterate({ force: true })
  const opts = { ...RETRIES, removeOnComplete: true, removeOnFail: 1000 }
  for (let at = 0; at < bodies.length; at += AT_ONCE)
    await queue.addBulk(
      bodies.slice(at, at + AT_ONCE).map((body) => ({ name: 'webhook', data: { body }, opts })),
    )
  await queue.close()
}
