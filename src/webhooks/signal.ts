/** Wakes who waits for a change; whoever wakes looks for itself what has changed. */
export class Signal {
  private readonly waiting = new Set<() => void>()

  notify(): void {
    for (const wake of this.waiting) wake()
  }

  /** Until it is rung, or so long. */
  wait(ms = 1000): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, Math.max(0, ms))
      this.waiting.add(wake)
    })
  }
}
