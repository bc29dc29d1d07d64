import { GraphQLError } from 'graphql'
import { isPublic, PublicError } from '../domain/errors.ts'

/** How much of what stays open an application may have at this process. */
export interface ConnectionLimits {
  /** Websockets and event streams. */
  readonly sockets: number
  readonly subscriptions: number
  /** Operations under way at once on one socket or stream. */
  readonly operationsPerSocket: number
}

type Counted = 'sockets' | 'subscriptions'

const settingOf: Readonly<Record<Counted, string>> = {
  sockets: 'SOCKETS_PER_APPLICATION',
  subscriptions: 'SUBSCRIPTIONS_PER_APPLICATION',
}

/** Counts what is open, by application, and refuses what goes beyond a limit. */
export class ConnectionLimiter {
  private readonly counts = {
    sockets: new Map<string, number>(),
    subscriptions: new Map<string, number>(),
  }

  constructor(readonly limits: ConnectionLimits) {}

  /** Takes one; what is returned gives it back, once. */
  take(what: Counted, applicationId: string): () => void {
    const counts = this.counts[what]
    const count = counts.get(applicationId) ?? 0
    if (count >= this.limits[what]) throw tooMany(what, this.limits[what], settingOf[what])
    counts.set(applicationId, count + 1)
    let isTaken = true
    return () => {
      const left = (counts.get(applicationId) ?? 1) - 1
      if (isTaken && left > 0) counts.set(applicationId, left)
      if (isTaken && left === 0) counts.delete(applicationId)
      isTaken = false
    }
  }

  /** Refuses one operation more than a socket may have under way. */
  checkOperations(underWay: number): void {
    const { operationsPerSocket: most } = this.limits
    if (underWay > most) throw tooMany('operations on one socket', most, 'OPERATIONS_PER_SOCKET')
  }
}

const tooMany = (what: string, most: number, setting: string) =>
  new PublicError('too_many_requests', `Too many ${what}: ${most} at most (${setting}).`)

/** What work gives, or its refusal in the words of GraphQL. */
export function limitErrorToResult<T>(work: () => T): T | GraphQLError {
  try {
    return work()
  } catch (error) {
    if (!isPublic(error)) throw error
    return new GraphQLError(error.message, { extensions: error.extensions })
  }
}
