import type { SeededApplication } from '../../support/factories.ts'
import { proofOnStores } from '../proof.ts'
import { probe, toLine } from '../support/probe.ts'
import { PeakMemory, residentBytes } from '../support/process-memory.ts'
import { seedFleet } from '../support/seeded-fleet.ts'
import { type Home, makeHome, ServiceProcess } from '../support/service-process.ts'
import { Flood, type FloodRequest } from './flood.ts'

/** One application floods the service. The requests of another application are still answered soon. */
export const fairness = proofOnStores(
  {
    name: 'fairness',
    description: 'a flood of requests of one application hardly delays the requests of another',
    options: {
      seconds: { preset: 20, short: 8, description: 'seconds of each measurement' },
      'light-clients': { preset: 50, description: 'clients that request one vehicle without pause' },
      'heavy-clients': {
        preset: 200,
        description: 'clients that request 1,000 trips with their vehicles without pause',
      },
      'most-ratio': { preset: 3, description: 'maximum p99 under a flood, relative to the quiet service' },
      'least-ms': { preset: 250, description: 'p99 in milliseconds that is always permitted' },
      'most-megabytes': { preset: 400, description: 'maximum growth of the memory during a flood' },
    },
  },
  async (store, options) => {
    const home = await makeHome(store)
    try {
      return await prove(home, options)
    } finally {
      await home.remove()
    }
  },
)

interface Options {
  readonly seconds: number
  readonly 'light-clients': number
  readonly 'heavy-clients': number
  readonly 'most-ratio': number
  readonly 'least-ms': number
  readonly 'most-megabytes': number
}

const MEGABYTE = 1024 * 1024

async function prove(home: Home, options: Options): Promise<string[]> {
  const [flooding, probing] = await seedTwo(home)
  await using service = await ServiceProcess.start(home, ['--demo', 'off'])
  const { restUrl, graphqlUrl } = service.ready
  const ask = () => probe([graphqlUrl], probing, { perSecond: 20, seconds: options.seconds })
  await ask()
  const quiet = await ask()
  console.log(`${home.store}: quiet: ${toLine(quiet)}`)
  const allowedMs = Math.max(options['least-ms'], options['most-ratio'] * quiet.p99)
  const floods: readonly FloodRequest[] = [
    { name: 'light lists', path: '/vehicles?limit=1', clients: options['light-clients'] },
    { name: 'heavy lists', path: '/trips?limit=1000&expand=vehicle', clients: options['heavy-clients'] },
  ]
  const failures: string[] = []
  for (const request of floods) {
    const memory = new PeakMemory(() => new Map([['service', residentBytes(service.child.pid)]]))
    const flood = await Flood.start(restUrl, flooding, request)
    const measured = await ask()
    const sent = await flood.stop()
    const grownMegabytes = memory.stop() / MEGABYTE
    const name = `${home.store}: ${request.clients} clients of ${request.name}`
    console.log(
      `${name}: ${toLine(measured)}; allowed p99 ${allowedMs.toFixed(0)} ms; the flood got ` +
        `${sent.perSecond.toFixed(0)} responses/s; memory +${grownMegabytes.toFixed(0)} MB`,
    )
    if (measured.p99 > allowedMs)
      failures.push(`${name}: p99 is ${measured.p99.toFixed(0)} ms, allowed ${allowedMs.toFixed(0)} ms`)
    if (measured.failed > 0)
      failures.push(`${name}: ${measured.failed} requests of the other application failed`)
    if (sent.failed > 0 || sent.perSecond === 0)
      failures.push(`${name}: ${sent.failed} of its requests failed`)
    if (grownMegabytes > options['most-megabytes'])
      failures.push(`${name}: the memory grew by ${grownMegabytes.toFixed(0)} MB`)
  }
  return failures
}

/** Stores the application that floods, with large lists, and the application that probes. */
async function seedTwo(home: Home): Promise<[SeededApplication, SeededApplication]> {
  const db = await home.open()
  try {
    await db.migrate()
    return [
      await seedFleet(db, { vehicles: 1000, tripsPerVehicle: 1 }),
      await seedFleet(db, { vehicles: 20, tripsPerVehicle: 1 }),
    ]
  } finally {
    await db.close()
  }
}
