import { setTimeout as wait } from 'node:timers/promises'
import type { DistributedService, Part, PartName } from '../distributed-service.ts'

const LOOK_MS = 100
/** A supervisor does not start a program anew in no time. */
const RESTART_MS = 500

/** Starts the parts of a service again when they have ended, as systemd or an orchestrator would. */
export class Supervisor {
  /** Parts that had been ready and ended although nobody killed them. */
  readonly crashes: string[] = []
  restarts = 0
  /** Starts that came to nothing, for instance because there was no database. */
  failedStarts = 0
  private readonly killed = new Set<PartName>()
  private readonly held = new Set<PartName>()
  private readonly wasReady = new Set<PartName>()
  private stopped = false
  private readonly watching: Promise<unknown>

  constructor(private readonly service: DistributedService) {
    for (const name of service.parts.keys()) this.wasReady.add(name)
    this.watching = Promise.all([...service.parts.values()].map((part) => this.watch(part)))
  }

  /** Kills a part and keeps it down until it is let go. */
  kill(name: PartName): void {
    this.killed.add(name)
    this.held.add(name)
    this.service.part(name).process.child.kill('SIGKILL')
  }

  letGo(name: PartName): void {
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
        () => undefined, // It is seen to have ended.
      )
  }

  /** Whether it ended by itself, and if so, in its start or at work. */
  private judge({ name, process }: Part): void {
    const ready = this.wasReady.delete(name)
    if (this.killed.has(name)) return
    if (!ready) this.failedStarts++
    else this.crashes.push(`${name} ended with ${process.child.exitCode}: ${process.output().slice(-1500)}`)
  }
}
