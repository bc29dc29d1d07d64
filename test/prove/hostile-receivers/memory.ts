import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../support/service-process.ts'

/** Returns the file in which the service of a home records its memory in MB after garbage collection. */
export const memoryNotesIn = ({ folder }: Home): string => join(folder, 'held-memory')

/** Growth of a service's memory since construction. */
export class Memory {
  private readonly noted: number

  constructor(private readonly notes: string) {
    this.noted = this.heldMb().length
  }

  get beforeMb(): number {
    return this.heldMb()[this.noted - 1] ?? Number.NaN
  }

  get growthMb(): number {
    return Math.max(...this.heldMb().slice(this.noted)) - this.beforeMb
  }

  private heldMb(): number[] {
    return readFileSync(this.notes, 'utf8').trim().split('\n').map(Number)
  }
}

/** Peak memory of a process so far, including garbage. */
export const mostResidentMb = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
