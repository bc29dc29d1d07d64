import { setTimeout as sleep } from 'node:timers/promises'
import { HttpError } from '../http-error.ts'

/** A failure that a test requests for the next matching requests. */
export interface InjectedFault {
  /** API key of the account. Without one, the fault matches every account. */
  readonly key?: string
  /** Path of the request. Without one, the fault matches every path. */
  readonly path?: string
  /** Status of the response; 0 breaks the connection. Without a status, the response is only delayed. */
  readonly status?: number
  /** Value of the Retry-After header. */
  readonly retryAfter?: string
  /** Delay before the error or the normal response. */
  readonly stallMs?: number
  /** Whether a sign-in takes effect before the fault, so that only its response is lost. */
  readonly late?: boolean
  /** Number of requests that the fault still affects. */
  count: number
}

/** Result of a request handler: the server must destroy the connection. */
export const DESTROY = Symbol('destroy the connection')

export function createFaultInjection() {
  const pending: InjectedFault[] = []
  return {
    add: (fault: InjectedFault) => void pending.push(fault),

    /**
     * Applies the oldest matching fault, if there is one: waits, then throws its error or returns DESTROY. `late`
     * selects the faults for the time after the request took effect.
     */
    async apply(key: string, path: string, when?: 'late'): Promise<typeof DESTROY | undefined> {
      const fault = takeMatching(pending, key, path, when === 'late')
      if (fault?.stallMs) await sleep(fault.stallMs, undefined, { ref: false })
      if (fault?.status === 0) return DESTROY
      if (fault?.status) throw errorOf(fault.status, fault.retryAfter)
      return undefined
    },
  }
}

function takeMatching(
  pending: InjectedFault[],
  key: string,
  path: string,
  isLate: boolean,
): InjectedFault | undefined {
  const index = pending.findIndex(
    (fault) =>
      (fault.key ?? key) === key && (fault.path ?? path) === path && (fault.late ?? false) === isLate,
  )
  const fault = pending[index]
  if (fault && --fault.count <= 0) pending.splice(index, 1)
  return fault
}

function errorOf(status: number, retryAfter: string | undefined): HttpError {
  const message = status === 403 ? 'This API key lacks the scope of this path' : 'Injected fault'
  return new HttpError(status, message, retryAfter === undefined ? {} : { 'Retry-After': retryAfter })
}
