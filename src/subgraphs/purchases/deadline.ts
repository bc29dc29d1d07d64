import type { Logger } from '../../platform/logging/log.ts'
import { isClientError } from '../../domain/errors.ts'

/** Result of work that had to end before a deadline. Without `isDone`, it was late or failed with `error`. */
export interface Settled<T> {
  readonly isDone: boolean
  readonly value?: T
  readonly error?: unknown
}

/** Deadline that several waits share. */
export class Deadline {
  private readonly late: Promise<Settled<never>>
  isOver = false

  constructor(ms: number) {
    this.late = new Promise((resolve) => {
      setTimeout(() => {
        this.isOver = true
        resolve({ isDone: false })
      }, ms).unref()
    })
  }

  /** Waits for work until the deadline. Throws errors that reject the request itself. */
  settle<T>(work: Promise<T>): Promise<Settled<T>> {
    const settled = work.then(
      (value): Settled<T> => ({ isDone: true, value }),
      (error: unknown): Settled<T> => {
        if (isClientError(error)) throw error
        return { isDone: false, error }
      },
    )
    const outcome = Promise.race([settled, this.late])
    // It may reject before its caller waits for it.
    outcome.catch(() => undefined)
    return outcome
  }
}

export interface DeadlineSetting {
  /** Time for the reads of a check, and again for its write. 250 ms by default. */
  readonly purchaseDeadlineMs?: number
}

export const deadlineOf = ({ purchaseDeadlineMs = 250 }: DeadlineSetting): Deadline =>
  new Deadline(purchaseDeadlineMs)

/** Logs that work failed or missed its deadline. */
export function logFailure(
  log: Pick<Logger, 'warn'>,
  { isDone, error }: Settled<unknown>,
  message: string,
): void {
  if (!isDone) log.warn({ err: error ?? new Error('The deadline is over.') }, message)
}
