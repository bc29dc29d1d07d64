import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../../src/storage/database.ts'
import { appendEvents } from '../../../src/storage/outbox.ts'
import { Random } from '../../fuzz/random.ts'
import { lastingPort } from '../support/distributed-service.ts'
import { cpuSeconds } from '../support/process-cpu.ts'
import { proofOnStores } from '../proof.ts'
import { type Home, makeHome, type Store } from '../support/service-process.ts'
import { type Way, ways } from './followers/following.ts'
import { Endpoints } from './endpoints.ts'
import { Reader } from './reader.ts'
import { type Promised, Reading } from './reading.ts'
import { type Applications, makeApplications, Stage } from './stage.ts'
import { journalIn, Writers } from './writers.ts'
import type { Writer } from './writing.ts'
import { judgeWriters, writtenLog } from './written-log.ts'

/**
 * Readers of the log over every transport are cut off and killed repeatedly. Each must end with the whole
 * log.
 */
export const eventLog = proofOnStores(
  {
    name: 'event-log',
    description:
      'readers by websocket, SSE, webhook and pull, cut off and killed while many write, end with the same log',
    options: {
      events: { preset: 1_000_000, short: 10_000, description: 'number of committed events' },
      writers: { preset: 8, description: 'number of concurrent writers, 9 at most' },
      disconnections: { preset: 100, short: 5, description: 'number of cuts or kills of each reader' },
      lag: { preset: 10_000, description: 'lead of the writers over the slowest reader, in events' },
      seed: { preset: 1, description: 'the same seed draws the same faults' },
    },
  },
  prove,
)

interface Values {
  readonly events: number
  readonly writers: number
  readonly disconnections: number
  readonly lag: number
  readonly seed: number
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
  const applications = await makeApplications(db)
  await using harness = await Stage.start(home)
  const audience = await audienceOf(home, db, harness, applications, values)
  const { readers } = audience
  try {
    await using writers = new Writers(home, writersOf(applications, values))
    const begun = performance.now()
    const reported = await untilAllHave(values, writers, audience)
    const seconds = (performance.now() - begun) / 1000
    printSummary(home.store, values.events, seconds, harness, readers)
    const problems = [
      ...writers.problems,
      ...reported,
      ...readers.flatMap(({ problems }) => [...new Set(problems)].slice(0, 10)),
    ]
    return [...problems, ...(await judge(home, db, applications, readers))]
  } finally {
    await Promise.all(readers.map((reader) => reader[Symbol.asyncDispose]()))
    if (harness.output().includes('"level"')) console.log(harness.output().slice(-4000))
  }
}

/** Returns the first event of the log, written before the readers start. */
async function firstEvent(db: Database, { mine: [origin] }: Applications): Promise<string> {
  if (!origin) throw new Error('no connection')
  await db.transaction((tx) =>
    appendEvents(tx, { ...origin, at: Date.now() }, [{ type: 'vehicle.added', subjectId: null, detail: {} }]),
  )
  for (;;) {
    const [entry] = await db.rows<{ id: string }>('SELECT `id` FROM `events` WHERE `position` = 1')
    if (entry) return entry.id
    await wait(20)
  }
}

const writersOf = ({ mine, other }: Applications, { events, writers }: Values): Writer[] =>
  Array.from({ length: writers }, (_, number) => ({
    number,
    events: Math.floor((events * (number + 1)) / writers) - Math.floor((events * number) / writers),
    mine: mine[number % mine.length] as Applications['other'],
    other,
  }))

interface Audience {
  readonly readers: readonly Reader[]
  readonly endpoints: Endpoints
}

async function audienceOf(
  home: Home,
  db: Database,
  { urls }: Stage,
  applications: Applications,
  { events, disconnections, seed }: Values,
): Promise<Audience> {
  const port = await lastingPort()
  const after = await firstEvent(db, applications)
  const { secretKey } = applications
  const notebooks = { all: join(home.folder, 'webhook'), ordered: join(home.folder, 'webhook-ordered') }
  const endpoints = await Endpoints.make(db, applications, notebooks, `http://127.0.0.1:${port}`)
  const readers = ways.map((way, number) => {
    const mine = way === 'webhook' ? notebooks : { all: join(home.folder, way) }
    const random = new Random(seed * 1000 + number)
    return new Reader(
      { way, urls, secretKey, notebooks: mine, after, port },
      { strikes: disconnections, events, random },
    )
  })
  return { readers, endpoints }
}

const LOOK_MS = 20
const TELL_MS = 10_000
/** Without progress for this long, the run counts as stalled. */
const STALLED_MS = 90_000
const MAX_PROBLEMS = 50

/** Runs the writers and interrupts the readers until all have everything. Returns the failures. */
async function untilAllHave(
  { events, lag }: Values,
  writers: Writers,
  { readers, endpoints }: Audience,
): Promise<string[]> {
  let [best, at, toldAt] = [-1, performance.now(), performance.now()]
  for (;;) {
    const noted = readers.map((reader) => reader.noted)
    writers.allow(Math.min(events, Math.min(...noted) + aheadOf(writers.written / events, lag)))
    for (const reader of readers) await reader.keepStriking()
    for (const reader of readers.filter(({ way }) => way === 'webhook'))
      await endpoints.keepRotating(reader.noted / events, reader)
    const now = performance.now()
    const sum = noted.reduce((one, two) => one + two, writers.written)
    if (sum > best) [best, at] = [sum, now]
    if (writers.written >= events && noted.every((each) => each >= events)) return []
    if (now - at > STALLED_MS) return [`nothing moves: ${stateOf(writers, readers)}`]
    if (writers.problems.length > 0) return ['the writers failed']
    if (readers.some(({ problems }) => problems.length > MAX_PROBLEMS)) return ['a reader cannot read']
    if (now - toldAt > TELL_MS) console.log(`  ${stateOf(writers, readers)}`)
    if (now - toldAt > TELL_MS) toldAt = now
    await wait(LOOK_MS)
  }
}

const PHASES = 20
const CLOSE = 200

/**
 * Returns the lead of the writers. It alternates, so that readers read a backlog from the table, and then
 * follow closely.
 */
const aheadOf = (share: number, lag: number): number => (Math.floor(share * PHASES) % 2 === 0 ? CLOSE : lag)

const stateOf = ({ written }: Writers, readers: readonly Reader[]): string =>
  [`written ${written}`, ...readers.map(({ way, noted }) => `${way} ${noted}`)].join(', ')

function printSummary(
  store: Store,
  events: number,
  seconds: number,
  harness: Stage,
  readers: readonly Reader[],
): void {
  const cpu = cpuSeconds([...harness.pids.values()])
  const used = [...harness.pids.keys()].map((name, at) => `${name} ${cpu[at]?.toFixed(1)} s`)
  console.log(
    `${store}: ${events} events in ${seconds.toFixed(1)} s, ${(events / seconds).toFixed(0)} a second; CPU of ${used.join(', ')}`,
  )
  for (const { way, cuts, kills } of readers)
    console.log(`  ${way.padEnd(10)} cut off ${cuts} times, killed ${kills} times`)
}

/** Waits for messages behind a retry as long as they keep arriving one by one. */
const SETTLE_MS = 60_000

/** Waits for the last events of every reader, and compares. */
async function judge(
  home: Home,
  db: Database,
  { mine }: Applications,
  readers: readonly Reader[],
): Promise<string[]> {
  const log = await writtenLog(db, String(mine[0]?.applicationId))
  const details = new Float64Array(log.tags.length)
  const readings = readers.flatMap(({ orders: { way, notebooks } }) =>
    Object.entries(notebooks).map(
      ([name, path]) => new Reading(path, promisedTo(way, name, mine), log, details),
    ),
  )
  await untilSettled(readings)
  for (const { line } of readings) console.log(`  ${line}`)
  return [...(await judgeWriters(log, journalIn(home))), ...readings.flatMap((reading) => reading.problems())]
}

async function untilSettled(readings: readonly Reading[]): Promise<void> {
  let [least, at] = [Infinity, performance.now()]
  for (;;) {
    for (const reading of readings) reading.readOn()
    const missing = readings.reduce((sum, reading) => sum + reading.missing, 0)
    if (missing < least) [least, at] = [missing, performance.now()]
    if (missing === 0 || performance.now() - at > SETTLE_MS) return
    await wait(500)
  }
}

const promisedTo = (way: Way, name: string, [first]: Applications['mine']): Promised => ({
  name: name === 'all' ? way : `${way} ${name}`,
  order: way !== 'webhook' ? 'log' : name === 'ordered' ? 'record' : 'none',
  after: 1,
  connectionId: name === 'ordered' ? String(first?.connectionId) : null,
})
