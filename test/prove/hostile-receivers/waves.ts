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
    const beside = this.hangs.filter(({ begunBefore }) => begunBefore < this.begun)
    const without = beside.filter(({ begunBefore, doneAfter }) => doneAfter <= begunBefore)
    return [
      ...hanging
        .filter((does) => !beside.some((hang) => hang.does === does))
        .map((does) => `no wave was written while the receiver that ${does} left a request hanging`),
      ...without.map(
        ({ does, begunBefore }) =>
          `the wave after the ${begunBefore}. had not arrived when a receiver that ${does} was given up`,
      ),
    ]
  }

  describe(): string {
    const within = this.hangs.map(({ begunBefore, doneAfter }) => doneAfter - begunBefore)
    return `${this.hangs.length} requests were left hanging until they were given up; up to ${Math.max(0, ...within)} waves were written and had arrived while one of them hung`
  }
}
