import { setTimeout as sleep } from 'node:timers/promises'
import { HttpError } from '../http-error.ts'

/** A failure for the next matching requests. */
export interface InjectedFault {
  /** Without a key or a path, the fault matches all of them. */
  readonly key?: string
  readonly path?: string
  /** 0 breaks the connection. Without a status, the response is normal, after the stall. */
  readonly status?: number
  readonly retryAfter?: string
  readonly stallMs?: number
  /** Applies after the request took effect, so only its response is lost. */
  readonly late?: boolean
  /** Number of requests that it still affects. */
  count: number
}

/** Result for a request whose connection the server must destroy. */
export const DESTROY = Symbol('destroy the connection')

export function createFaultInjection() {
  const pending: InjectedFault[] = []
  return {
    add: (fault: InjectedFault) => void pending.push(fault),

    /** Applies the oldest matching fault. Returns DESTROY if the connection must be destroyed. */
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
  late: boolean,
): InjectedFault | undefined {
  const index = pending.findIndex(
    (fault) => (fault.key ?? key) === key && (fault.path ?? path) === path && (fault.late ?? false) === late,
  )
  const fault = pending[index]
  if (fault && --fault.count <= 0) pending.splice(index, 1)
  return fault
}

function errorOf(status: number, retryAfter: string | undefined): HttpError {
  const message = status === 403 ? 'This API key lacks the scope of this path' : 'Injected fault'
  return new HttpError(status, message, retryAfter === undefined ? {} : { 'Retry-After': retryAfter })
}
