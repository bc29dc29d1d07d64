import type { PublicError } from '../../domain/errors.ts'

/**
 * Lifetime of an operation: the time during which its result is needed. The operation ends early if its time limit
 * passes, its client leaves, or it reads too much: it no longer waits, and it reads nothing more.
 */
export class OperationLifetime {
  private readonly startedAt = performance.now()
  private error: PublicError | null = null
  private canEnd = true
  private timer: NodeJS.Timeout | undefined
  private readonly listeners = new Set<(error: PublicError) => void>()

  /** Ends the operation early, unless `preventEnd` was called. */
  end(createError: () => PublicError): void {
    if (!this.canEnd || this.error) return
    this.error = createError()
    for (const listener of this.listeners) listener(this.error)
  }

  /** Ends the operation early when this time has passed since the lifetime was created. */
  limit(ms: number, createError: () => PublicError): void {
    const remainingMs = ms - (performance.now() - this.startedAt)
    this.timer = setTimeout(() => this.end(createError), Math.max(0, remainingMs))
    this.timer.unref()
  }

  /** From now on, nothing ends the operation early: it has finished, or it is a mutation that begins. */
  preventEnd(): void {
    this.canEnd = false
    clearTimeout(this.timer)
  }

  throwIfEnded(): void {
    if (this.error) throw this.error
  }

  /** Calls the listener when the operation ends early. Returns a function that removes the listener. */
  onEnd(listener: (error: PublicError) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Returns the result of the work. Rejects as soon as the operation ends early. */
  resultOf<T>(work: T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.error) reject(this.error)
      const stopListening = this.onEnd(reject)
      Promise.resolve(work).then(resolve, reject).finally(stopListening)
    })
  }
}
