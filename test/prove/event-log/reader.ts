import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../fuzz/random.ts'
import type { ReaderOrders, Way } from './following.ts'
import { LINE_BYTES } from './notebook.ts'

const PROGRAM = join(process.cwd(), 'dist/test/prove/event-log/reader-program.js')

/** Of so many kills of a receiver, one leaves its port closed: the courier pauses for half a minute then. */
const ONE_CLOSES_OF = 10

/** A reader's process, that is cut off and killed while it reads and goes on from what is in its notebook. */
export class Reader implements AsyncDisposable {
  readonly problems: string[] = []
  cuts = 0
  kills = 0
  private child: ChildProcess
  /** At how many events it is struck next. */
  private strikesAt: number

  constructor(
    readonly orders: ReaderOrders,
    /** How often it is struck while it reads so many events. */
    private readonly plan: { readonly strikes: number; readonly events: number; readonly random: Random },
  ) {
    this.child = this.spawn()
    this.tell('go')
    this.strikesAt = this.nextStrike()
  }

  get way(): Way {
    return this.orders.way
  }

  /** How many events it has noted in its fullest notebook, doubles included. */
  get noted(): number {
    return Math.max(...Object.values(this.orders.notebooks).map(linesIn))
  }

  /** Strikes it when its time has come. */
  async keepStriking(): Promise<void> {
    const { events, strikes, random } = this.plan
    if (this.child.exitCode !== null) this.die(`ended with ${this.child.exitCode}`)
    if (this.cuts + this.kills >= strikes || this.noted < Math.min(this.strikesAt, events)) return
    if (random.chance(0.5)) await this.kill()
    else this.cut()
    this.strikesAt = this.nextStrike()
  }

  tell(order: string): void {
    // Whoever has just ended hears nothing more, and is started anew.
    this.child.send(order, () => undefined)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end()
  }

  private cut(): void {
    this.cuts++
    this.tell('cut')
  }

  private async kill(): Promise<void> {
    this.kills++
    const next = await this.standby()
    await this.end()
    this.child = next ?? this.spawn()
    this.tell('go')
  }

  /** A receiver mostly has a successor that is ready to listen; else its port is closed for as long as a start takes. */
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
    this.tell('go')
  }

  /** Each falls into its own part of the events, the last well before their end. */
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
