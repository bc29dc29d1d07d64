import type { Socket } from 'node:net'

/** A request that a receiver left open until the service timed out. */
interface Hang {
  readonly does: string
  /** Number of waves started before it arrived. */
  readonly begunBefore: number
  /** Number of waves that had arrived when it ended. */
  readonly doneAfter: number
}

/**
 * Writes events in waves, each after all healthy receivers have the one before. A wave that starts after a
 * request hangs and arrives before its end was not delayed by it.
 */
export class Waves {
  begun = 0
  done = 0
  readonly milliseconds: number[] = []
  private readonly hangs: Hang[] = []

  constructor(readonly count: number) {}

  /** Requests that timed out before the next wave after their start had arrived. */
  get withoutWave(): readonly Hang[] {
    return this.hangs.filter(
      ({ begunBefore, doneAfter }) => begunBefore < this.count && doneAfter <= begunBefore,
    )
  }

  /** Records that a request hangs until its connection closes. */
  hang(does: string, socket: Socket): void {
    const begunBefore = this.begun
    socket.once('close', () => this.hangs.push({ does, begunBefore, doneAfter: this.done }))
  }

  /** Passes one wave from its write to its arrival at all; returns false if it never arrives. */
  async pass(write: () => Promise<void>, arrives: () => Promise<boolean>): Promise<boolean> {
    const began = performance.now()
    this.begun++
    await write()
    if (!(await arrives())) return false
    this.done++
    this.milliseconds.push(performance.now() - began)
    return true
  }

  /**
   * Returns the failures: requests that delayed others, and receivers without a hung request during a wave.
   */
  judge(hanging: readonly string[]): string[] {
    const hungDuringWave = new Set(
      this.hangs.flatMap(({ does, begunBefore }) => (begunBefore < this.count ? does : [])),
    )
    return [
      ...hanging
        .filter((does) => !hungDuringWave.has(does))
        .map((does) => `no wave was written while a request hung at the receiver that ${does}`),
      ...this.withoutWave.map(
        ({ does, begunBefore }) =>
          `wave ${begunBefore + 1} had not arrived when a request timed out at the receiver that ${does}`,
      ),
    ]
  }

  describe(): string {
    const within = this.hangs.map(({ begunBefore, doneAfter }) => doneAfter - begunBefore)
    return `${this.hangs.length} requests hung until they timed out; up to ${Math.max(0, ...within)} waves arrived while one of them hung`
  }
}
