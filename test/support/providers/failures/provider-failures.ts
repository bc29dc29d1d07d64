import {
  brokenAt,
  failed,
  issue,
  notPermitted,
  refused,
  type ProviderFailure,
  completed,
} from '../expected-endings.ts'
import type { RequestMatcher, SyncedSubject } from '../subjects/subject.ts'

const waits = { quick: '0.01', fractional: '0.4', whole: '1' }

const limited = (retryAfter: string | null, times: number | null = 1) => ({
  kind: 'status' as const,
  status: 429,
  times,
  ...(retryAfter === null ? {} : { headers: { 'retry-after': retryAfter } }),
})

const down = (status: number, times: number | null = 1) => ({
  kind: 'status' as const,
  status,
  times,
  headers: { 'retry-after': waits.quick },
})

const at = (matcher: RequestMatcher) => (typeof matcher === 'string' ? { endpoint: matcher } : matcher)

const theirStatus = { limited: '429', down: '503' }

/** Failures that any provider can have. A fault without an endpoint hits the first request. */
export const providerFailures = ({
  name,
  repeatedRequest,
  repeatedModel,
  drivers,
  needsDrivers = [],
  expired,
  description = theirStatus,
  failures,
}: SyncedSubject): ProviderFailure[] => [
  {
    name: 'a token that expires during the sync',
    faults: [{ kind: 'status', status: 401, ...at(repeatedRequest), after: 2, times: null }],
    ends: expired,
  },
  { name: 'revoked credentials', faults: [{ kind: 'status', status: 401, times: null }], ends: refused },
  { name: 'a rate limit for a part of a second', faults: [limited(waits.fractional)], ends: completed },
  { name: 'a rate limit for a whole second', faults: [limited(waits.whole)], ends: completed },
  {
    name: 'a rate limit until a date',
    faults: [limited(new Date(Date.now() + 1000).toUTCString())],
    ends: completed,
  },
  { name: 'a rate limit without a retry time', faults: [limited(null)], ends: completed },
  { name: 'a rate limit for longer than a request waits', faults: [limited('58')], ends: completed },
  {
    name: 'a rate limit that lasts',
    faults: [limited(waits.quick, null)],
    ends: failed(`the provider answered ${description.limited}`),
  },
  { name: 'a server error', faults: [down(500)], ends: completed },
  { name: 'a gateway that cannot reach its server', faults: [down(502), down(504)], ends: completed },
  {
    name: 'an outage that lasts',
    faults: [down(503, null)],
    ends: failed(`the provider answered ${description.down}`),
  },
  { name: 'no response', faults: [{ kind: 'hang', ...at(repeatedRequest) }], ends: completed },
  { name: 'a response that breaks off', faults: [{ kind: 'cut', ...at(repeatedRequest) }], ends: completed },
  { name: 'half of a response', faults: [{ kind: 'truncated', ...at(repeatedRequest) }], ends: completed },
  {
    name: 'half of every response',
    faults: [{ kind: 'truncated', ...at(repeatedRequest), times: null }],
    ends: brokenAt(repeatedModel, 'the answer is not JSON'),
  },
  {
    name: 'a model without permission',
    faults: [{ kind: 'status', status: 403, ...at(drivers), times: null }],
    ends: issue(...['Driver', ...needsDrivers].map((model) => notPermitted(model, name))),
  },
  {
    name: 'a model whose request is rejected as invalid',
    faults: [{ kind: 'status', status: 400, ...at(drivers), times: null }],
    ends: brokenAt('Driver', 'the provider answered 400'),
    unread: ['Driver', ...needsDrivers],
  },
  ...failures,
]
