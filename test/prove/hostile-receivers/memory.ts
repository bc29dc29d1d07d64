import { readFileSync } from 'node:fs'

const SAMPLE_MS = 200

/** Watches by how much the memory of a process grows. */
export class Memory implements Disposable {
  readonly beforeMb: number
  mostMb: number
  private readonly timer: NodeJS.Timeout

  constructor(private readonly pid: number | undefined) {
    this.beforeMb = this.mostMb = this.residentMb()
    this.timer = setInterval(() => (this.mostMb = Math.max(this.mostMb, this.residentMb())), SAMPLE_MS)
  }

  get growthMb(): number {
    return this.mostMb - this.beforeMb
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer)
  }

  private residentMb(): number {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1]) / 1024
  }
}
