import type { Socket } from 'node:net'

/** A request that a receiver left without an end until the service gave it up. */
interface Hang {
  readonly does: string
  /** How many waves had begun when it came. */
  readonly begunBefore: number
  /** How many had arrived when it was given up. */
  readonly doneAfter: number
}

/**
 * Events are written in waves, each when everybody healthy has the one before. What was written after a request began
 * to hang and has arrived before that was given up was not held up by it.
 */
export class Waves {
  begun = 0
  done = 0
  readonly milliseconds: number[] = []
  private readonly hangs: Hang[] = []

  constructor(readonly count: number) {}

  /** Requests that hung and were given up before what was written meanwhile, or was yet to be, had arrived. */
  get withoutWave(): readonly Hang[] {
    return this.hangs.filter(
      ({ begunBefore, doneAfter }) => begunBefore < this.count && doneAfter <= begunBefore,
    )
  }

  /** Notes that a request hangs from now on until its connection is closed. */
  hang(does: string, socket: Socket): void {
    const begunBefore = this.begun
    socket.once('close', () => this.hangs.push({ does, begunBefore, doneAfter: this.done }))
  }

  /** One wave, from its writing to its arrival everywhere; false where it never arrives. */
  async pass(write: () => Promise<void>, arrives: () => Promise<boolean>): Promise<boolean> {
    const began = performance.now()
    this.begun++
    await write()
    if (!(await arrives())) return false
    this.done++
    this.milliseconds.push(performance.now() - began)
    return true
  }

  /** What hung while others waited; each of these receivers has to have left a request hanging beside a wave. */
  judge(hanging: readonly string[]): string[] {
    const beside = new Set(
      this.hangs.flatMap(({ does, begunBefore }) => (begunBefore < this.count ? does : [])),
    )
    return [
      ...hanging
        .filter((does) => !beside.has(does))
        .map((does) => `no wave was written while a request hung at the receiver that ${does}`),
      ...this.withoutWave.map(
        ({ does, begunBefore }) =>
          `wave ${begunBefore + 1} had not arrived when a request was given up at the receiver that ${does}`,
      ),
    ]
  }

  describe(): string {
    const within = this.hangs.map(({ begunBefore, doneAfter }) => doneAfter - begunBefore)
    return `${this.hangs.length} requests were left hanging until they were given up; up to ${Math.max(0, ...within)} waves were written and had arrived while one of them hung`
  }
}
