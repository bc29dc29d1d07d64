import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../fuzz/random.ts'
import type { ReaderOrders, Way } from './followers/following.ts'
import { LINE_BYTES } from './receipt-file.ts'

const PROGRAM = join(process.cwd(), 'dist/test/prove/event-log/reader-program.js')

/**
 * One of this many kills of a receiver leaves its port closed: the delivery worker then pauses for half a
 * minute.
 */
const ONE_CLOSES_OF = 10

/** A reader process that is cut off and killed while it reads, and resumes from its notebook. */
export class Reader implements AsyncDisposable {
  readonly problems: string[] = []
  cuts = 0
  kills = 0
  private child: ChildProcess
  /** Number of events at the next fault. */
  private strikesAt: number

  constructor(
    readonly orders: ReaderOrders,
    /** Number of faults during this many events. */
    private readonly plan: { readonly strikes: number; readonly events: number; readonly random: Random },
  ) {
    this.child = this.spawn()
    this.send('go')
    this.strikesAt = this.nextStrike()
  }

  get way(): Way {
    return this.orders.way
  }

  /** Number of events in its fullest notebook, including duplicates. */
  get noted(): number {
    return Math.max(...Object.values(this.orders.notebooks).map(linesIn))
  }

  /** Cuts or kills the reader when the next fault is due. */
  async keepStriking(): Promise<void> {
    const { events, strikes, random } = this.plan
    if (this.child.exitCode !== null) this.die(`ended with ${this.child.exitCode}`)
    if (this.cuts + this.kills >= strikes || this.noted < Math.min(this.strikesAt, events)) return
    if (random.chance(0.5)) await this.kill()
    else this.cut()
    this.strikesAt = this.nextStrike()
  }

  send(order: string): void {
    // A process that just ended cannot receive a message; the exit handler restarts it.
    this.child.send(order, () => undefined)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end()
  }

  private cut(): void {
    this.cuts++
    this.send('cut')
  }

  private async kill(): Promise<void> {
    this.kills++
    const next = await this.standby()
    await this.end()
    this.child = next ?? this.spawn()
    this.send('go')
  }

  /** Usually starts a successor that is ready to listen; otherwise the port is closed during a start. */
  private async standby(): Promise<ChildProcess | null> {
    if (this.way !== 'webhook' || this.kills % ONE_CLOSES_OF === 0) return null
    const next = this.spawn()
    await once(next, 'message')
    return next
  }

  private async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const exited = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await exited
  }

  private die(how: string): void {
    this.problems.push(`${this.way}: the reader ${how}`)
    this.child = this.spawn()
    this.send('go')
  }

  /** Returns the next fault: each has its own part of the events, and the last is well before the end. */
  private nextStrike(): number {
    const { events, strikes, random } = this.plan
    return ((this.cuts + this.kills + random.next()) / (strikes + 1)) * events
  }

  private spawn(): ChildProcess {
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(this.orders)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child.on('message', ({ problem }: { problem?: string }) => {
      if (problem) this.problems.push(problem)
    })
    child.on('error', () => undefined)
    return child
  }
}

function linesIn(path: string): number {
  return Math.floor((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / LINE_BYTES)
}
