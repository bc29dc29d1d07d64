import type { Database } from '../../../src/storage/database.ts'
import { proof } from '../proof.ts'
import { type Home, makeHome } from '../support/service-process.ts'
import { bareSide } from './bare-side.ts'
import { type Counted, CountingReceiver } from './counting-receiver.ts'
import { fillLog } from './filled-log.ts'
import { ourSide } from './our-side.ts'

/**
 * Compares the delivery rate of a worker with a bare queue that posts the same bodies. Our side also signs
 * and records.
 */
export const deliveries = proof(
  {
    name: 'deliveries',
    description:
      'a worker delivers webhooks at 0.6 of the rate at which a bare BullMQ worker posts the same bodies (MariaDB)',
    options: {
      messages: { preset: 50_000, short: 3000, description: 'number of messages' },
      endpoints: { preset: 1, description: 'number of endpoints' },
      concurrency: { preset: 50, description: 'number of concurrent requests' },
      'least-ratio': { preset: 0.6, description: 'minimum share of the bare rate' },
    },
  },
  prove,
)

interface Values {
  readonly messages: number
  readonly endpoints: number
  readonly concurrency: number
  readonly 'least-ratio': number
}

/** Result of one side. */
export interface Side extends Counted {
  readonly cpuSeconds: number
}

async function prove(values: Values): Promise<readonly string[]> {
  const home = await makeHome('mariadb')
  const db = await home.open()
  try {
    await db.migrate()
    return await compare(home, db, values)
  } finally {
    await db.close()
    await home.remove()
  }
}

async function compare(
  home: Home,
  db: Database,
  { messages, endpoints, concurrency, 'least-ratio': leastRatio }: Values,
): Promise<string[]> {
  const log = await fillLog(db, Math.ceil(messages / endpoints))
  const posted = Array.from({ length: endpoints }, () => log.bodies).flat()
  console.log(
    `${posted.length} messages of ${Math.round(posted.join('').length / posted.length)} bytes, ${concurrency} at once, to ${endpoints} endpoints; ours are signed and recorded, the bare ones are neither`,
  )
  await using receiver = await CountingReceiver.start()
  const bare = printRate('bare BullMQ worker', await bareSide(home, receiver, posted, concurrency))
  const sizes = { messages: posted.length, endpoints, concurrency }
  const ours = printRate('our worker', await ourSide(home, db, log, receiver, sizes))
  const ratio = ours / bare
  console.log(`ratio ${ratio.toFixed(2)} (goal ${leastRatio})`)
  return ratio >= leastRatio ? [] : [`webhooks are delivered at ${ratio.toFixed(2)} of the bare rate`]
}

/** Prints a result and returns its rate. */
function printRate(who: string, { messages, bytes, seconds, cpuSeconds }: Side): number {
  const rate = messages / seconds
  const milliseconds = (1000 * cpuSeconds) / messages
  console.log(
    `${who.padEnd(20)}${rate.toFixed(0)} messages/s: ${messages} (${(bytes / 1e6).toFixed(1)} MB) in ${seconds.toFixed(1)} s; ${milliseconds.toFixed(2)} ms of CPU each`,
  )
  return rate
}
