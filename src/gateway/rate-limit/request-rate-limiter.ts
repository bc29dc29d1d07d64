import type { Caller } from '../../auth/caller.ts'
import { PublicError } from '../../domain/errors.ts'
import { type RateLimitStatus, toRetryAfterSeconds } from '../../domain/rate-limit.ts'
import { onlyConnectionOf } from '../../domain/tenant-scope.ts'
import { rateLimitRefusals } from '../../platform/instrumentation.ts'
import type { Bucket } from './bucket.ts'
import type { RateLimitStore } from './rate-limit-store.ts'

/** Points per minute of each kind of bucket, for callers without a rate of their own. */
export interface RateLimits {
  readonly application: number
  /** Limit of a key, and of a session. */
  readonly key: number
  readonly connection: number
}

/** Least number of points that a request takes. */
export const MIN_POINTS = 100

/** Limits the points that callers use. A caller without an application has no limit. */
export class RequestRateLimiter {
  private readonly bucketsByCaller = new WeakMap<Caller, readonly Bucket[]>()

  constructor(
    private readonly store: Pick<RateLimitStore, 'take'>,
    private readonly limits: RateLimits,
  ) {}

  /** Takes the points of a request from every bucket of the caller, or none. Returns null for a caller without limits. */
  take(caller: Caller, points: number): RateLimitStatus | null | Promise<RateLimitStatus> {
    const buckets = this.bucketsOf(caller)
    return buckets.length === 0 ? null : this.store.take(buckets, points)
  }

  private bucketsOf(caller: Caller): readonly Bucket[] {
    const known = this.bucketsByCaller.get(caller)
    if (known) return known
    const buckets = bucketsOf(caller, this.limits)
    this.bucketsByCaller.set(caller, buckets)
    return buckets
  }
}

function bucketsOf(caller: Caller, limits: RateLimits): readonly Bucket[] {
  const { applicationId, key, session, rates } = caller
  if (applicationId === '') return []
  const connectionId = onlyConnectionOf(caller)
  const bucket = (kind: Bucket['kind'], id: string, pointsPerMinute: number): Bucket => ({
    kind,
    id,
    applicationId,
    pointsPerMinute,
  })
  const keyLimit = rates?.key ?? limits.key
  return [
    bucket('application', applicationId, rates?.application ?? limits.application),
    ...(key ? [bucket('key', key.id, keyLimit)] : []),
    ...(session ? [bucket('session', session.id, keyLimit)] : []),
    ...(connectionId === null ? [] : [bucket('connection', connectionId, limits.connection)]),
  ]
}

/** Returns the error of a request that was refused. Counts the refusal. */
export function rateLimitError({ applicationId }: Caller, { policy, waitMs }: RateLimitStatus): PublicError {
  rateLimitRefusals.emit({ bucket: policy, applicationId })
  const retryAfterSeconds = toRetryAfterSeconds(waitMs)
  const seconds = retryAfterSeconds === 1 ? 'second' : 'seconds'
  return new PublicError(
    'too_many_requests',
    `The request rate of the ${policy} is used up. Retry after ${retryAfterSeconds} ${seconds}.`,
    { retryAfterSeconds },
  )
}
