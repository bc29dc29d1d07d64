import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import type { Database } from '../../../src/storage/database.ts'
import { seedApplication } from '../../support/factories.ts'
import { proofOnStores } from '../proof.ts'
import { type Home, makeHome, type Store } from '../support/service-process.ts'
import { drawPastFleet, storeLateData, storePastFleet, writePurchases } from './past-fleet.ts'

/** Replays past purchases at the command line, whole and with interruptions, before and after late data has arrived. */
export const replay = proofOnStores(
  {
    name: 'replay',
    description: 'a killed replay of purchases ends with the same results, and late data does not help it',
    options: {
      purchases: { preset: 100_000, short: 4000, description: 'number of purchases' },
      vehicles: { preset: 1000, short: 50, description: 'size of the fleet' },
      kills: { preset: 5, short: 2, description: 'number of kills' },
      seed: { preset: 22, description: 'seed of the purchases' },
    },
  },
  prove,
)

interface Values {
  readonly purchases: number
  readonly vehicles: number
  readonly kills: number
  readonly seed: number
}

async function prove(store: Store, { purchases, vehicles, kills, seed }: Values): Promise<readonly string[]> {
  const home = await makeHome(store)
  const db = await home.open()
  try {
    await db.migrate()
    const application = await seedApplication(db, [() => ({})])
    const owner = { applicationId: application.id, connectionId: application.connections[0]!.connection.id }
    const fleet = drawPastFleet(owner, seed, vehicles, purchases)
    await storePastFleet(db, fleet)
    const command = new ReplayCommand(home, db, application.id)
    await writePurchases(command.file, fleet)

    const begun = performance.now()
    const whole = await command.run('whole.csv')
    const seconds = (performance.now() - begun) / 1000
    console.log(
      `${store}: ${purchases} purchases replayed in ${seconds.toFixed(1)} s, ${Math.round(purchases / seconds)} a second`,
    )
    console.log(whole.printed)
    const counts = []
    for (let kill = 1; kill <= kills; kill++)
      counts.push(await command.kill((purchases * kill) / (kills + 1)))
    console.log(`${store}: killed after ${counts.join(', ')} purchases`)
    const resumed = await command.run('resumed.csv')
    await storeLateData(db, fleet)
    const later = await command.run('later.csv')
    return [
      ...whole.failures(purchases),
      ...(resumed.isSame(whole) ? [] : ['a killed replay ended with other results']),
      ...(later.isSame(whole) ? [] : ['data that was received later changed the results']),
    ].map((failure) => `${store}: ${failure}`)
  } finally {
    await db.close()
    await home.remove()
  }
}

const POLL_MS = 20

/** The command that replays a file, each time in a process of its own. */
class ReplayCommand {
  readonly file: string
  private readonly home: Home
  private readonly db: Database
  private readonly applicationId: string

  constructor(home: Home, db: Database, applicationId: string) {
    this.home = home
    this.db = db
    this.applicationId = applicationId
    this.file = join(home.folder, 'purchases.csv')
  }

  /** Runs the command to its end. */
  async run(outputName: string): Promise<Replayed> {
    const output = join(this.home.folder, outputName)
    const child = this.start('--output', output)
    const [printed, errors, [code]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'exit'),
    ])
    if (code !== 0) throw new Error(`the replay ended with ${code}: ${errors}`)
    return new Replayed(printed, await readFile(output, 'utf8'))
  }

  /** Starts the command, and kills it when it has replayed a number of purchases. Returns how many it had. */
  async kill(afterPurchases: number): Promise<number> {
    const child = this.start()
    const ended = once(child, 'exit')
    let done = 0
    while (done < afterPurchases) {
      if (child.exitCode !== null) throw new Error('the replay ended before the kill: use more purchases')
      await wait(POLL_MS)
      done = await this.done()
    }
    child.kill('SIGKILL')
    await ended
    return this.done()
  }

  private start(...options: string[]): ChildProcess {
    const { MYSQL_URL: _, REDIS_URL: __, ...rest } = process.env
    const program = join(process.cwd(), 'dist/src/cli/main.js')
    const args = [
      '--data',
      this.home.folder,
      'purchases',
      'replay',
      this.file,
      '--application',
      this.applicationId,
    ]
    return spawn(process.execPath, [program, ...args, ...options], {
      env: { ...rest, ...this.home.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  /** Returns the number of purchases of the replay that has not ended. */
  private async done(): Promise<number> {
    const [row] = await this.db.rows<{ done: number }>(
      'SELECT `done` FROM `purchase_replays` WHERE `applicationId` = ? AND `endedAt` IS NULL',
      [this.applicationId],
    )
    return Number(row?.done ?? 0)
  }
}

/** Decisions that the fleet must get: those at stations far away, and those whose position came late. */
const EXPECTED = ['approve', 'decline', 'unknown']

/** Output of a replay that has ended. */
class Replayed {
  readonly printed: string
  private readonly decisions: string

  constructor(printed: string, decisions: string) {
    this.printed = printed
    this.decisions = decisions
  }

  isSame(other: Replayed): boolean {
    return this.decisions === other.decisions
  }

  /** Returns what the results lack. */
  failures(purchases: number): string[] {
    const rows = parse<{ readonly v1: string }>(this.decisions, { columns: true })
    const found = new Set(rows.map(({ v1 }) => v1))
    return [
      ...(rows.length === purchases ? [] : [`${rows.length} of ${purchases} purchases have a decision`]),
      ...EXPECTED.filter((decision) => !found.has(decision)).map(
        (decision) => `no purchase has the decision ${decision}`,
      ),
    ]
  }
}
