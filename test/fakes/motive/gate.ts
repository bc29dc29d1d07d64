import { setTimeout as wait } from 'node:timers/promises'

/** An answer takes a moment, so that those who call at once are there at once. */
const MOMENT = 5

/** How many are inside at once, of each who calls. A test may hold them there. */
export class Gate {
  private readonly inside = new Map<string, number>()
  private opening: Promise<void> | null = null
  private open: () => void = () => undefined

  hold(): void {
    this.opening = new Promise((resolve) => (this.open = resolve))
  }

  release(): void {
    this.open()
    this.opening = null
  }

  /** Null for one too many. */
  async through<Answered>(key: string, most: number, answer: () => Answered): Promise<Answered | null> {
    const before = this.inside.get(key) ?? 0
    if (before >= most) return null
    this.inside.set(key, before + 1)
    try {
      await (this.opening ?? wait(MOMENT))
      return answer()
    } finally {
      this.inside.set(key, (this.inside.get(key) ?? 1) - 1)
    }
  }
}
