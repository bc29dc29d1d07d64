import { GraphQLError } from 'graphql'
import { isPublic, PublicError } from '../domain/errors.ts'
import type { Operation } from '../gateway/operation.ts'

/** Limits of one application in this process. */
export interface ConnectionLimits {
  /** Maximum number of websockets and event streams together. */
  readonly sockets: number
  /** Maximum number of subscriptions on all sockets and streams together. */
  readonly subscriptions: number
  /** Maximum number of different documents of its subscriptions. Each takes memory for its text and its plan. */
  readonly subscriptionDocuments: number
  /** Maximum number of concurrent operations on one socket or stream. */
  readonly operationsPerSocket: number
}

type LimitedResource = 'sockets' | 'subscriptions'

const settingOf: Readonly<Record<LimitedResource, string>> = {
  sockets: 'SOCKETS_PER_APPLICATION',
  subscriptions: 'SUBSCRIPTIONS_PER_APPLICATION',
}

/** Counts the open sockets and subscriptions of each application and rejects those above a limit. */
export class ConnectionLimiter {
  private readonly counts = {
    sockets: new Map<string, number>(),
    subscriptions: new Map<string, number>(),
  }
  /** Numbers of open subscriptions by application and operation. */
  private readonly operations = new Map<string, Map<Operation, number>>()

  constructor(readonly limits: ConnectionLimits) {}

  /** Acquires one resource. Returns a function that releases it; calling it again has no effect. */
  acquire(resource: LimitedResource, applicationId: string): () => void {
    const counts = this.counts[resource]
    const count = counts.get(applicationId) ?? 0
    if (count >= this.limits[resource]) throw tooMany(resource, this.limits[resource], settingOf[resource])
    counts.set(applicationId, count + 1)
    let isAcquired = true
    return () => {
      const remaining = (counts.get(applicationId) ?? 1) - 1
      if (isAcquired && remaining > 0) counts.set(applicationId, remaining)
      if (isAcquired && remaining === 0) counts.delete(applicationId)
      isAcquired = false
    }
  }

  /**
   * Acquires a subscription and the document of its operation, which subscriptions share. Returns a function that
   * releases both; calling it again has no effect.
   */
  acquireSubscription(applicationId: string, operation: Operation): () => void {
    const open = this.operations.get(applicationId) ?? new Map<Operation, number>()
    const { subscriptionDocuments: limit } = this.limits
    if (!open.has(operation) && open.size >= limit)
      throw tooMany(
        'different documents of subscriptions',
        limit,
        'SUBSCRIPTION_DOCUMENTS_PER_APPLICATION',
        ' Send ids and other values as variables, so that subscriptions share a document.',
      )
    const releaseSubscription = this.acquire('subscriptions', applicationId)
    this.operations.set(applicationId, open)
    open.set(operation, (open.get(operation) ?? 0) + 1)
    let isAcquired = true
    return () => {
      if (!isAcquired) return
      isAcquired = false
      releaseSubscription()
      const remaining = (open.get(operation) ?? 1) - 1
      if (remaining > 0) open.set(operation, remaining)
      else open.delete(operation)
      if (open.size === 0) this.operations.delete(applicationId)
    }
  }

  /** Throws if a socket has more concurrent operations than the limit. */
  checkOperations(count: number): void {
    const { operationsPerSocket: limit } = this.limits
    if (count > limit) throw tooMany('operations on one socket', limit, 'OPERATIONS_PER_SOCKET')
  }
}

const tooMany = (resource: string, limit: number, setting: string, advice = '') =>
  new PublicError('too_many_requests', `Too many ${resource}. The limit is ${limit} (${setting}).${advice}`)

/** Returns the result of `work`. If it throws a public error, returns that as a GraphQL error. */
export function limitErrorToResult<T>(work: () => T): T | GraphQLError {
  try {
    return work()
  } catch (error) {
    if (!isPublic(error)) throw error
    return new GraphQLError(error.message, { extensions: error.extensions })
  }
}
