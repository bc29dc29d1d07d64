import type { PublicError } from '../../domain/errors.ts'

/**
 * Time in which the result of an operation is wanted. If the time limit passes or the client goes away, the operation
 * ends early: it no longer waits, and it reads nothing more.
 */
export class OperationLifetime {
  private readonly startedAt = performance.now()
  private error: PublicError | null = null
  private isFinished = false
  private timer: NodeJS.Timeout | undefined
  private readonly listeners = new Set<(error: PublicError) => void>()

  /** Ends the operation early, unless it has finished. */
  end(createError: () => PublicError): void {
    if (this.isFinished || this.error) return
    this.error = createError()
    for (const listener of this.listeners) listener(this.error)
  }

  /** Ends the operation early after a time, which begins with the lifetime. */
  limit(ms: number, createError: () => PublicError): void {
    const remainingMs = ms - (performance.now() - this.startedAt)
    this.timer = setTimeout(() => this.end(createError), Math.max(0, remainingMs))
    this.timer.unref()
  }

  /** After this, nothing ends the operation early. */
  finish(): void {
    this.isFinished = true
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
  until<T>(work: T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.error) reject(this.error)
      const stopListening = this.onEnd(reject)
      Promise.resolve(work).then(resolve, reject).finally(stopListening)
    })
  }
}
