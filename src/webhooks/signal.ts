/** Wakes every waiter of a change. It carries no data: a waiter that wakes checks the state itself. */
export class Signal {
  private readonly waiting = new Set<() => void>()

  notify(): void {
    for (const wake of this.waiting) wake()
  }

  /** Resolves at the next `notify`, or after `ms` milliseconds. */
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
