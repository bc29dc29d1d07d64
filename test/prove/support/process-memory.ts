import { readFileSync } from 'node:fs'

/** Returns the resident memory of a process. */
export const residentBytes = (pid: number | undefined): number =>
  1024 * Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

const INTERVAL_MS = 100

/** Bytes of each process by its name. */
type Memory = ReadonlyMap<string, number>

/** Samples the resident memory of processes. */
export class PeakMemory {
  private peakGrowth = 0
  private readonly timer = setInterval(() => this.sample(), INTERVAL_MS)

  constructor(
    private readonly read: () => Memory,
    private readonly idle: Memory = read(),
  ) {}

  /** Returns the largest growth of a process above its idle memory, in bytes. */
  stop(): number {
    clearInterval(this.timer)
    this.sample()
    return this.peakGrowth
  }

  private sample(): void {
    for (const [name, bytes] of this.read())
      this.peakGrowth = Math.max(this.peakGrowth, bytes - this.idle.get(name)!)
  }
}
