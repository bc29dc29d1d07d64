import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Database } from '../../../src/storage/database.ts'
import { makeApplications } from '../event-log/stage.ts'
import { proofOnStores } from '../proof.ts'
import { type Home, makeHome, ServiceProcess, type Store } from '../support/service-process.ts'
import { Canaries } from './canaries.ts'
import { Healthy } from './healthy.ts'
import { Hostile, tableOf } from './hostile.ts'
import { addressOf, kinds, PERMITTED } from './kinds.ts'
import { Memory, memoryNotesIn, mostResidentMb } from './memory.ts'
import { NameServer } from './name-server.ts'
import { Waves } from './waves.ts'
import { type Api, webhooksApi } from './webhooks-api.ts'
import { WrittenEvents } from '../support/written-events.ts'

/**
 * Hostile receivers must not affect others: those get every event, and the delivery log shows each failure.
 */
export const hostileReceivers = proofOnStores(
  {
    name: 'hostile-receivers',
    description:
      'receivers that hang, stream, redirect or rebind delay no others, and the delivery log shows their failures',
    options: {
      events: {
        preset: 2000,
        short: 200,
        description: 'number of events, without the hostile receivers and with them',
      },
      waves: {
        preset: 16,
        short: 4,
        description: 'number of waves with them, each after the arrival of the one before',
      },
      each: { preset: 1, description: 'number of hostile receivers of each kind' },
      'most-growth': { preset: 100, description: 'limit of the extra memory of the service in MB' },
    },
  },
  prove,
)

interface Values {
  readonly events: number
  readonly waves: number
  readonly each: number
  readonly 'most-growth': number
}

/** Without hanging requests, few waves suffice. */
const WAVES_ALONE = 4

/** State that both halves of the proof share. */
interface Stage {
  readonly values: Values
  readonly service: ServiceProcess
  readonly memoryNotes: string
  readonly api: Api
  readonly writing: WrittenEvents
  readonly canaries: Canaries
  readonly healthy: readonly Healthy[]
  readonly say: (text: string) => void
}

async function prove(store: Store, values: Values): Promise<readonly string[]> {
  const home = await makeHome(store)
  const db = await home.open()
  try {
    await db.migrate()
    return (await proveIn(home, db, values)).map((problem) => `${store}: ${problem}`)
  } finally {
    await db.close()
    await home.remove()
  }
}

async function proveIn(home: Home, db: Database, values: Values): Promise<string[]> {
  const { secretKey, mine } = await makeApplications(db)
  await using writing = new WrittenEvents(home, db, mine)
  await using canaries = await Canaries.start()
  await using names = await NameServer.start(addressOf)
  await using service = await ServiceProcess.start(home, [], settingsWith(names, home))
  const api = webhooksApi(service.ready.graphqlUrl, secretKey)
  const healthy = await Healthy.startAll(api)
  const say = (text: string) => console.log(`${home.store}: ${text}`)
  try {
    const harness = {
      values,
      service,
      memoryNotes: memoryNotesIn(home),
      api,
      writing,
      canaries,
      healthy,
      say,
    }
    const alone = await passWaves(harness, new Waves(WAVES_ALONE), 'without hostile receivers')
    return alone.length > 0 ? alone : await besideHostile(harness)
  } finally {
    await Promise.all(healthy.map((receiver) => receiver[Symbol.asyncDispose]()))
    if (service.output().includes('"level"')) console.log(service.output().slice(-2000))
  }
}

const PRELOAD = pathToFileURL(join(process.cwd(), 'dist/test/prove/hostile-receivers/in-the-service.js')).href

/** The encryption key is that of the factories. */
const settingsWith = (names: NameServer, home: Home) => ({
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  DEMO: 'off',
  LOG_LEVEL: 'error',
  WEBHOOK_ALLOW: PERMITTED,
  NODE_OPTIONS: `--import=${PRELOAD}`,
  PROOF_NAME_SERVER: names.address,
  PROOF_MEMORY_NOTES: memoryNotesIn(home),
})

async function besideHostile(harness: Stage): Promise<string[]> {
  const { values, service, memoryNotes, api, canaries, say } = harness
  const waves = new Waves(values.waves)
  const permittedCanary = await canaries.listenBeside(PERMITTED)
  const hostile = await Hostile.startAll(api, { waves, canaries, permittedCanary }, values.each)
  try {
    const sings = await canaries.sing()
    const memory = new Memory(memoryNotes)
    const late = await passWaves(harness, waves, `with ${hostile.length} hostile ones`)
    const hanging = kinds.flatMap(({ does, hangs }) => (hangs ? does : []))
    if (late.length > 0) return [...late, ...waves.judge(hanging)]
    const reported = await Promise.all(hostile.map((receiver) => receiver.reported(api)))
    say(waves.describe())
    say(`the canaries were visited ${canaries.visits} times`)
    say(
      `it held ${memory.beforeMb.toFixed(0)} MB before and ${memory.growthMb.toFixed(0)} more at most; ${mostResidentMb(service.child.pid).toFixed(0)} MB resident at most`,
    )
    say(`results of ${hostile.length} endpoints\n${tableOf(reported)}`)
    return [
      ...waves.judge(hanging),
      ...reported.flatMap(({ problems }) => problems),
      ...(sings ? [] : ['the canaries do not notice a connection']),
      ...(canaries.visits === 0 ? [] : [`the canaries were visited ${canaries.visits} times`]),
      ...(memory.growthMb <= values['most-growth'] ? [] : ['the service holds too much memory']),
    ]
  } finally {
    await Promise.all(hostile.map((receiver) => receiver[Symbol.asyncDispose]()))
  }
}

/** Writes this many events in waves. Returns the failures of the healthy receivers. */
async function passWaves(harness: Stage, waves: Waves, when: string): Promise<string[]> {
  const { values, writing, healthy, say } = harness
  const [before, received] = [writing.written, healthy.map(({ messages }) => messages)]
  for (let at = 0; at < waves.count; at++) {
    const upTo = before + Math.round((values.events * (at + 1)) / waves.count)
    const arrives = () => haveAll(healthy, writing.written, waves)
    if (!(await waves.pass(() => writing.write(upTo - writing.written), arrives))) break
  }
  const log = await writing.log()
  const messages = healthy.map((receiver, at) => receiver.messages - (received[at] ?? 0))
  say(
    `${when} the healthy endpoints got ${messages.join(', ')} messages of ${log.length - before} events, a wave in ${waves.milliseconds.map((ms) => (ms / 1000).toFixed(1)).join(' ')} s`,
  )
  return healthy.flatMap((receiver) => receiver.judge(log)).map((problem) => `${when} ${problem}`)
}

const STALLED_MS = 60_000

/** Returns false if healthy receivers are delayed or their deliveries have stalled. */
async function haveAll(healthy: readonly Healthy[], events: number, waves: Waves): Promise<boolean> {
  let [best, since] = [-1, performance.now()]
  while (healthy.some(({ taken }) => taken.size < events)) {
    const sum = healthy.reduce((total, { taken }) => total + taken.size, 0)
    if (sum > best) [best, since] = [sum, performance.now()]
    if (waves.withoutWave.length > 0 || performance.now() - since > STALLED_MS) return false
    await wait(5)
  }
  return true
}
