import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Random } from '../../fuzz/random.ts'
import {
  killed,
  mariadbHangs,
  mariadbKilled,
  networkStalls,
  redisKilled,
  type Victims,
} from '../chaos/faults.ts'
import { OwnServers } from '../chaos/own-servers.ts'
import { allReady, comesToRest, until } from '../chaos/rest.ts'
import { Rounds } from '../chaos/rounds.ts'
import { Supervisor } from '../chaos/supervisor.ts'
import { proof } from '../proof.ts'
import { makeHome } from '../support/service-process.ts'
import { CheckingService, gateways } from './checking-service.ts'
import { Clients } from './clients.ts'
import { compareStored } from './compare-stored.ts'
import { Counts } from './counts.ts'
import { seedCardholders } from './drawn-purchases.ts'
import { EventReader } from './event-reader.ts'
import { Findings } from './findings.ts'
import { RecordedAnswers } from './recorded-answers.ts'

/** Purchases are checked while processes and servers fail. A recorded check must stay the only one with its key. */
export const purchaseFaults = proof(
  {
    name: 'purchase-faults',
    description:
      'under kills, hangs and cuts: a recorded purchase check is stored once, stays the answer to its key, and has one event',
    options: {
      checks: { preset: 50_000, short: 1000, description: 'number of purchases and captures' },
      clients: { preset: 20, description: 'number of clients that send at the same time' },
      'deadline-ms': { preset: 250, description: 'PURCHASE_DEADLINE_MS; a busy machine needs more' },
      seed: { preset: 1, description: 'the same seed draws the same faults and purchases' },
    },
  },
  prove,
)

interface Size {
  readonly checks: number
  readonly clients: number
  readonly seed: number
  readonly 'deadline-ms': number
}

async function prove(size: Size): Promise<readonly string[]> {
  const begun = performance.now()
  await using servers = await OwnServers.start()
  const { sandbox, ...stores } = servers.behindProxies
  const home = await makeHome('mariadb', stores)
  await using service = await CheckingService.start(home, {
    DEMO: 'off',
    PURCHASE_DEADLINE_MS: String(size['deadline-ms']),
    SANDBOX_URL: sandbox,
    // That of the factories.
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  const db = await home.open()
  const cardholders = await seedCardholders(db)
  const findings = new Findings()
  const counts = new Counts(size['deadline-ms'])
  const answers = new RecordedAnswers(findings)
  const { urls } = service
  const clients = new Clients({ urls, cardholders, findings, counts, answers }, size)
  const reader = new EventReader(urls, cardholders.secretKey)
  const supervisor = new Supervisor(service)

  const stop = new AbortController()
  const striking = strike(new Random(size.seed), { servers, supervisor }, { counts, answers }, stop.signal)
  await clients.play()
  stop.abort()
  const rounds = await striking
  if ((await allReady(service)) === null)
    rounds.problems.push('not all processes are ready a minute after the faults')
  await clients.sendAgain()
  const unsettled = await comesToRest(db)
  const events = await reader.finish()
  const stored = await compareStored(db, cardholders.applicationId, { answers, events, findings })
  await supervisor.stop()

  rounds.printFaults(supervisor)
  counts.print()
  findings.print()
  console.log(
    `${size.checks} checks by ${size.clients} clients, seed ${size.seed}: ${answers.size} keys with a recorded answer, ` +
      `${stored} checks and ${events.length} events, in ${((performance.now() - begun) / 1000).toFixed(0)} s`,
  )
  const crashes = supervisor.crashes.map((crash) => `crashed: ${crash}`)
  const failures = [...rounds.problems, ...unsettled, ...crashes, ...findings.failures()]
  if (failures.length > 0) keepLogs(service)
  await db.close()
  await service[Symbol.asyncDispose]()
  await home.remove()
  return failures
}

const faults = [
  killed('gateway killed', gateways),
  killed('subgraph killed', ['subgraph:purchases']),
  killed('worker killed', ['worker']),
  mariadbKilled,
  mariadbHangs,
  redisKilled,
  networkStalls(['database', 'redis']),
]

/** Share of the faults after which the next one does not wait for the service to recover. */
const AT_ONCE = 0.2
const CALM = { checks: 100, ms: 60_000 }

interface Progress {
  readonly counts: Counts
  readonly answers: RecordedAnswers
}

/** Lets one fault follow the other until it is stopped. Between most of them, a number of checks are recorded. */
async function strike(
  random: Random,
  victims: Victims,
  { counts, answers }: Progress,
  stop: AbortSignal,
): Promise<Rounds> {
  const rounds = new Rounds()
  for (let round = 1; !stop.aborted; round++) {
    const fault = random.pick(faults)(random, victims)
    rounds.begin(round, fault)
    counts.fault = `${fault.name} (${fault.of})`
    await fault.strike()
    await wait(fault.lastsMs)
    await fault.repair()
    const target = answers.size + (random.chance(AT_ONCE) ? 0 : random.below(CALM.checks))
    await until(CALM.ms, async () => stop.aborted || answers.size >= target)
  }
  return rounds
}

/** Keeps the logs of all processes in a folder. */
function keepLogs({ parts }: CheckingService): void {
  const folder = mkdtempSync(join(tmpdir(), 'odograph-purchase-faults-'))
  for (const { name, output } of parts.values())
    writeFileSync(join(folder, `${name.replace(':', '-')}.log`), output())
  console.log(`the logs of the processes are in ${folder}`)
}
