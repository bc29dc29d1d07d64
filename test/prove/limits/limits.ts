import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../../src/storage/database.ts'
import { proofOnStores } from '../proof.ts'
import { type Latencies, probe, toLine } from '../support/probe.ts'
import { PeakMemory } from '../support/process-memory.ts'
import { makeHome, type Home } from '../support/service-process.ts'
import { WrittenEvents } from '../support/written-events.ts'
import type { Attack } from './attack.ts'
import { type Answers, AttackProcess } from './attack-process.ts'
import { type Applications, type Attacker, seedApplications } from './attacked-applications.ts'
import { attacks } from './attacks.ts'
import { Deployment } from './deployment.ts'

/** Plays known attacks. The service stays alive and small, and answers another application soon. */
export const limits = proofOnStores(
  {
    name: 'limits',
    description: 'attacks by one caller do not stop the service, and hardly delay another application',
    options: {
      seconds: { preset: 15, short: 5, description: 'seconds of an attack; a few need longer' },
      gateways: { preset: 2, description: 'number of gateways on MariaDB, after a run with one process' },
      'most-ratio': { preset: 3, description: 'maximum p99 under an attack, relative to the quiet service' },
      'least-ms': { preset: 250, description: 'p99 in milliseconds that is always permitted' },
      'most-megabytes': { preset: 400, description: 'maximum memory of a process above its idle memory' },
    },
    choices: {
      attack: {
        preset: 'all',
        among: ['all', ...attacks.map(({ name }) => name)],
        description: 'the attack to play',
      },
    },
  },
  async (store, options) => {
    const sizes = store === 'sqlite' || options.gateways === 1 ? [1] : [1, options.gateways]
    const failures: string[] = []
    for (const gateways of sizes) failures.push(...(await proveIn(await makeHome(store), gateways, options)))
    return failures
  },
)

interface Options {
  readonly seconds: number
  readonly 'most-ratio': number
  readonly 'least-ms': number
  readonly 'most-megabytes': number
  readonly attack: string
}

/** Requests of the other application in a second. */
const PROBE_RATE = 10
const MEGABYTE = 1024 * 1024

async function proveIn(home: Home, gateways: number, options: Options): Promise<string[]> {
  const db = await home.open()
  try {
    const applications = await seedApplications(db)
    await using deployment = await Deployment.start(home, gateways)
    const played = attacks.filter(({ name }) => options.attack === 'all' || options.attack === name)
    return await play({ home, db, applications, deployment, options }, played)
  } finally {
    await db.close()
    await home.remove()
  }
}

interface Stage {
  readonly home: Home
  readonly db: Database
  readonly applications: Applications
  readonly deployment: Deployment
  readonly options: Options
}

async function play(stage: Stage, played: readonly Attack[]): Promise<string[]> {
  const { home, deployment, options } = stage
  const setup = `${home.store}, ${deployment.urls.length} × gateway`
  await measure(stage, options.seconds)
  const quiet = await measure(stage, options.seconds)
  const idle = deployment.memory()
  console.log(`${setup}: quiet: ${toLine(quiet)}`)
  const failures: string[] = []
  for (const attack of played) {
    const growth = new PeakMemory(() => deployment.memory(), idle)
    const result = await playOne(stage, attack)
    const grown = growth.stop()
    const answers = [...result.answers].map(([answer, times]) => `${times} × ${answer}`).join(', ')
    console.log(`${setup}: ${attack.name}: ${attack.description}`)
    console.log(`  answers: ${answers}`)
    console.log(`  another application: ${toLine(result.measured)}; memory +${megabytes(grown)} MB`)
    const problems = [
      ...deployment.ended(),
      ...answerProblems(attack, result.answers),
      ...latencyProblems(result.measured, quiet, options),
      ...(grown > options['most-megabytes'] * MEGABYTE ? [`the memory grew by ${megabytes(grown)} MB`] : []),
    ]
    failures.push(...problems.map((problem) => `${setup}: ${attack.name}: ${problem}`))
    if (deployment.ended().length > 0) break
  }
  return failures
}

const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(0)

const measure = ({ deployment, applications }: Stage, seconds: number): Promise<Latencies> =>
  probe(
    deployment.urls.map((url) => `${url}/graphql`),
    applications.other,
    { perSecond: PROBE_RATE, seconds },
  )

interface Result {
  readonly answers: Answers
  readonly measured: Latencies
}

async function playOne(stage: Stage, attack: Attack): Promise<Result> {
  const { deployment, applications, options } = stage
  const attacker = applications.attackerOf.get(attack)!
  await using attacking = AttackProcess.start(attack, {
    ...attacker,
    urls: deployment.urls,
    localAddress: `127.0.1.${1 + attacks.indexOf(attack)}`,
  })
  const ending = new AbortController()
  const events = attack.hasEvents ? writeEvents(stage, attacker, ending.signal) : Promise.resolve()
  const measured = await measure(stage, attack.seconds ?? options.seconds)
  ending.abort()
  await events
  return { answers: await attacking.stop(), measured }
}

const EVENTS_EVERY_MS = 200

/** Stores changes of the attacker's vehicles until the attack is over. */
async function writeEvents({ home, db }: Stage, { origin, vehicleIds }: Attacker, ending: AbortSignal) {
  await using written = new WrittenEvents(home, db, [origin], vehicleIds)
  while (!ending.aborted) {
    await written.write(1)
    await wait(EVENTS_EVERY_MS)
  }
}

function answerProblems({ permitted, required }: Attack, answers: Answers): string[] {
  const given = [...answers.keys()]
  return [
    ...given.filter((answer) => !permitted.test(answer)).map((answer) => `the answer is "${answer}"`),
    ...required
      .filter((form) => !given.some((answer) => form.test(answer)))
      .map((form) => `no answer is ${form}`),
  ]
}

function latencyProblems(measured: Latencies, quiet: Latencies, options: Options): string[] {
  const allowedMs = Math.max(options['least-ms'], options['most-ratio'] * quiet.p99)
  return [
    ...(measured.p99 > allowedMs
      ? [`p99 of another application is ${measured.p99.toFixed(0)} ms, allowed ${allowedMs.toFixed(0)} ms`]
      : []),
    ...(measured.failed > 0 ? [`${measured.failed} requests of another application failed`] : []),
  ]
}
