import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { RETRY_SECONDS } from '../../src/webhooks/delivery-schedule.ts'
import { Inbox, type Receipt } from '../webhooks/inbox.ts'
import { CourierRig } from '../webhooks/rig.ts'
import { proof } from './proof.ts'

/**
 * A message that never arrives is sent ten times in 75 hours, whatever becomes of the worker meanwhile. It runs on an
 * embedded database: a server would have to run on the faster clock too.
 */
export const retrySchedule = proof(
  {
    name: 'retry-schedule',
    says: 'the whole schedule of a message that fails, over real sockets and a faster clock; needs `faketime`',
    options: { speed: { preset: 600, says: 'how many times faster the clock of the workers runs' } },
  },
  async ({ speed }) => {
    if (spawnSync('faketime', ['--version']).error)
      return ['`faketime` is not installed: on Debian and Ubuntu, apt-get install faketime']
    const runs = [prove(speed, false), prove(speed, true)]
    return (await Promise.all(runs)).flat()
  },
)

const ATTEMPTS = RETRY_SECONDS.length + 1
const JITTER = 0.2
const SLACK_SECONDS = 60

async function prove(speed: number, isKilled: boolean): Promise<string[]> {
  const name = isKilled ? 'killed after each attempt' : 'one worker'
  await using rig = await CourierRig.start('sqlite')
  await using inbox = await Inbox.start({ react: () => ({ status: 500 }) })
  await rig.log(1)
  await rig.endpoint(inbox.url)
  const workers = new Workers(rig, speed)
  try {
    await workers.next()
    for (let attempts = 1; attempts <= ATTEMPTS; attempts++) {
      await Promise.race([recorded(rig, attempts), workers.failure])
      if (isKilled && attempts < ATTEMPTS) await workers.next()
    }
    return [...(await judge(name, rig, inbox.received)), ...(await afterwards(name, { rig, inbox, workers }))]
  } finally {
    await workers.end()
  }
}

async function recorded(rig: CourierRig, attempts: number): Promise<void> {
  while ((await rig.deliveries())[0]?.attempts !== attempts) await wait(5)
}

/** Each wait within a fifth of what is planned, or a little late. */
async function judge(name: string, rig: CourierRig, received: readonly Receipt[]): Promise<string[]> {
  const attempts = await rig.db.rows<{ attemptedAt: number }>(
    'SELECT `attemptedAt` FROM `webhook_attempts` ORDER BY `number`',
  )
  const sent = attempts.map(({ attemptedAt }) => Number(attemptedAt) / 1000)
  const waits = sent.slice(1).map((at, index) => Math.round(at - (sent[index] ?? 0)))
  console.log(`${name}: sent after ${waits.join(', ')} s; ${received.length} requests came within their time`)
  const wrong = waits.filter((seconds, index) => {
    const planned = RETRY_SECONDS[index] ?? 0
    return Math.abs(seconds - planned) > JITTER * planned + SLACK_SECONDS
  })
  const failures = wrong.map((seconds) => `${name}: a wait of ${seconds} s is not on schedule`)
  if (sent.length !== ATTEMPTS || received.length > ATTEMPTS)
    failures.push(`${name}: ${sent.length} attempts, of which ${received.length} came`)
  if (new Set(received.map(({ id, body }) => id + body)).size > 1)
    failures.push(`${name}: not always the same message`)
  return failures
}

interface Rest {
  readonly rig: CourierRig
  readonly inbox: Inbox
  readonly workers: Workers
}

/** It has failed, once, and is not sent again until somebody asks; then it arrives. */
async function afterwards(name: string, { rig, inbox, workers }: Rest): Promise<string[]> {
  const failures: string[] = []
  const said = async () => JSON.stringify(await rig.statuses())
  if ((await said()) !== '{"failed":1}') failures.push(`${name}: ${await said()} after the last attempt`)
  const sent = inbox.received.length
  await wait(1000)
  if (inbox.received.length !== sent) failures.push(`${name}: it was sent once more`)
  inbox.react = () => ({ status: 200 })
  await workers.slowDown()
  await rig.run("UPDATE `webhook_deliveries` SET `status` = 'pending', `nextAttemptAt` = 1")
  await rig.run('UPDATE `webhook_progress` SET `wakeAt` = 1')
  await workers.next()
  await inbox.until(({ received }) => received.length > sent)
  await recorded(rig, ATTEMPTS + 1)
  if ((await said()) !== '{"delivered":1}') failures.push(`${name}: ${await said()} after a replay`)
  return failures
}

/** Workers on a faster clock, one after the other: the next stands by already. */
class Workers {
  private current: ChildProcess | null = null
  private standby: Promise<ChildProcess>
  private fail: (error: Error) => void = () => undefined
  /** Rejected when a worker ends by itself. */
  readonly failure = new Promise<never>((_, reject) => (this.fail = reject))
  /** What the clock showed at a moment of the real one. */
  private base = { realMs: Date.now(), fakeMs: Date.now() }

  constructor(
    private readonly rig: CourierRig,
    private speed: number,
  ) {
    this.failure.catch(() => undefined)
    this.standby = this.spawn()
  }

  /** Kills the worker; another goes on. */
  async next(): Promise<void> {
    const next = await this.standby
    await kill(this.current)
    next.send('go')
    this.current = next
    this.standby = this.spawn()
  }

  /** From here on the clock runs as usual. */
  async slowDown(): Promise<void> {
    await kill(this.current)
    await kill(await this.standby)
    const realMs = Date.now()
    this.base = { realMs, fakeMs: this.fakeMs(realMs) }
    this.speed = 1
    this.standby = this.spawn()
  }

  async end(): Promise<void> {
    await kill(this.current)
    await kill(await this.standby)
  }

  private fakeMs(realMs: number): number {
    return this.base.fakeMs + (realMs - this.base.realMs) * this.speed
  }

  private async spawn(): Promise<ChildProcess> {
    const { folder } = this.rig.home
    const program = join(process.cwd(), 'dist/test/prove/retry-worker.js')
    const key = Buffer.alloc(32, 7).toString('hex')
    const realMs = Date.now()
    const ahead = ((this.fakeMs(realMs) - realMs) / 1000).toFixed(3)
    const child = spawn(
      'faketime',
      ['-f', `+${ahead}s x${this.speed}`, process.execPath, program, join(folder, 'odograph.db'), key],
      { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
    )
    child.once('exit', (code) => {
      if (code !== null) this.fail(new Error(`a worker ended with ${code}`))
    })
    await once(child, 'message')
    return child
  }
}

async function kill(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
