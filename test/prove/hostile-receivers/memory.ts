import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../service-process.ts'

/** Where the service of a home notes, every few seconds, how many MB it holds once all else is cleared away. */
export const memoryNotesIn = ({ folder }: Home): string => join(folder, 'held-memory')

/** By how much the memory that a service holds grows, from when this is made. */
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

/** The most that a process has had of memory so far, with what it had not cleared away yet. */
export const mostResidentMb = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
