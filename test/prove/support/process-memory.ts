import { readFileSync } from 'node:fs'

/** Returns the resident memory of a process. */
export const residentBytes = (pid: number | undefined): number =>
  1024 * Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

const INTERVAL_MS = 100

/** Samples the resident memory of a process. */
export class PeakMemory {
  private readonly startBytes: number
  private peakBytes: number
  private readonly timer = setInterval(() => this.sample(), INTERVAL_MS)

  constructor(private readonly pid: number | undefined) {
    this.startBytes = this.peakBytes = residentBytes(pid)
  }

  /** Returns the growth in bytes from the first sample to the largest. */
  stop(): number {
    clearInterval(this.timer)
    this.sample()
    return this.peakBytes - this.startBytes
  }

  private sample(): void {
    this.peakBytes = Math.max(this.peakBytes, residentBytes(this.pid))
  }
}
