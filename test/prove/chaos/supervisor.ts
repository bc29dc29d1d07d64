import { setTimeout as wait } from 'node:timers/promises'
import type { Part } from '../support/distributed-service.ts'

const LOOK_MS = 100
/** Delay before a restart, as a supervisor has. */
const RESTART_MS = 500

/** A service of several processes. */
export interface SupervisedService {
  readonly parts: ReadonlyMap<string, Part>
}

/** Restarts parts of a service that ended, as systemd or an orchestrator does. */
export class Supervisor {
  /** Parts that were ready and ended without a kill. */
  readonly crashes: string[] = []
  restarts = 0
  /** Failed starts, for example without a database. */
  failedStarts = 0
  private readonly killed = new Set<string>()
  private readonly held = new Set<string>()
  private readonly wasReady = new Set<string>()
  private stopped = false
  private readonly watching: Promise<unknown>

  constructor(private readonly service: SupervisedService) {
    for (const name of service.parts.keys()) this.wasReady.add(name)
    this.watching = Promise.all([...service.parts.values()].map((part) => this.watch(part)))
  }

  /** Kills a part and keeps it down until release. */
  kill(name: string): void {
    this.killed.add(name)
    this.held.add(name)
    this.service.parts.get(name)?.process.child.kill('SIGKILL')
  }

  /** Suspends a part: its sockets stay open, and it does nothing. */
  pause = (name: string): unknown => this.service.parts.get(name)?.process.child.kill('SIGSTOP')
  resume = (name: string): unknown => this.service.parts.get(name)?.process.child.kill('SIGCONT')

  letGo(name: string): void {
    this.held.delete(name)
  }

  async stop(): Promise<void> {
    this.stopped = true
    await this.watching
  }

  private async watch(part: Part): Promise<void> {
    while (!this.stopped) {
      if (!part.isRunning && !this.held.has(part.name)) await this.restart(part)
      await wait(LOOK_MS)
    }
  }

  private async restart(part: Part): Promise<void> {
    this.judge(part)
    this.killed.delete(part.name)
    await wait(RESTART_MS)
    if (this.stopped) return
    this.restarts++
    part
      .again()
      .becomesReady()
      .then(
        () => this.wasReady.add(part.name),
        () => undefined, // The exit handler sees the end.
      )
  }

  /** Counts an exit without a kill: as a failed start or a crash. */
  private judge({ name, process }: Part): void {
    const ready = this.wasReady.delete(name)
    if (this.killed.has(name)) return
    if (!ready) this.failedStarts++
    else this.crashes.push(`${name} ended with ${process.child.exitCode}: ${process.output().slice(-1500)}`)
  }
}
