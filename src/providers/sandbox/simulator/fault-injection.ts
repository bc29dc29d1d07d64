import { setTimeout as sleep } from 'node:timers/promises'
import { HttpError } from './http-error.ts'

/** A failure that waits for its requests. */
export interface InjectedFault {
  /** Any key and any path when absent. */
  readonly key?: string
  readonly path?: string
  /** 0 breaks the connection; absent answers as usual, after the stall. */
  readonly status?: number
  readonly retryAfter?: string
  readonly stallMs?: number
  /** Strikes when the request has been done, and only its answer is missing. */
  readonly late?: boolean
  /** How many requests it is still to hit. */
  count: number
}

/** What the server does to a request that a fault hit. */
export const DESTROY = Symbol('destroy the connection')

export function createFaultInjection() {
  const waiting: InjectedFault[] = []
  return {
    add: (fault: InjectedFault) => void waiting.push(fault),

    /** Lets the oldest fault that matches happen; true when the connection is to be destroyed. */
    async strike(key: string, path: string, when?: 'late'): Promise<typeof DESTROY | undefined> {
      const fault = take(waiting, key, path, when === 'late')
      if (fault?.stallMs) await sleep(fault.stallMs, undefined, { ref: false })
      if (fault?.status === 0) return DESTROY
      if (fault?.status) throw failure(fault.status, fault.retryAfter)
      return undefined
    },
  }
}

function take(waiting: InjectedFault[], key: string, path: string, late: boolean): InjectedFault | undefined {
  const at = waiting.findIndex(
    (fault) => (fault.key ?? key) === key && (fault.path ?? path) === path && (fault.late ?? false) === late,
  )
  const fault = waiting[at]
  if (fault && --fault.count <= 0) waiting.splice(at, 1)
  return fault
}

function failure(status: number, retryAfter: string | undefined): HttpError {
  const message = status === 403 ? 'This API key lacks the scope of this path' : 'Injected fault'
  return new HttpError(status, message, retryAfter === undefined ? {} : { 'Retry-After': retryAfter })
}
