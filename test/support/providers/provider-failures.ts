import {
  brokenAt,
  failed,
  issue,
  notPermitted,
  refused,
  type ProviderFailure,
  whole,
} from './expected-endings.ts'
import type { Asked, SyncedSubject } from './subject.ts'

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

const at = (asked: Asked) => (typeof asked === 'string' ? { endpoint: asked } : asked)

const theirStatus = { limited: '429', down: '503' }

/** What may go wrong at any provider. A fault without an endpoint hits whatever is asked first. */
export const providerFailures = ({
  name,
  often,
  oftenOf,
  drivers,
  needsDrivers = [],
  expired,
  says = theirStatus,
  troubles,
}: SyncedSubject): ProviderFailure[] => [
  {
    name: 'a sign-in that ends in the middle',
    faults: [{ kind: 'status', status: 401, ...at(often), after: 2, times: null }],
    ends: expired,
  },
  { name: 'revoked credentials', faults: [{ kind: 'status', status: 401, times: null }], ends: refused },
  { name: 'a limit for a part of a second', faults: [limited(waits.fractional)], ends: whole },
  { name: 'a limit for a whole second', faults: [limited(waits.whole)], ends: whole },
  { name: 'a limit until a date', faults: [limited(new Date(Date.now() + 1000).toUTCString())], ends: whole },
  { name: 'a limit that does not say for how long', faults: [limited(null)], ends: whole },
  { name: 'a limit for longer than a request waits', faults: [limited('58')], ends: whole },
  {
    name: 'a limit that lasts',
    faults: [limited(waits.quick, null)],
    ends: failed(`the provider answered ${says.limited}`),
  },
  { name: 'an error of the server', faults: [down(500)], ends: whole },
  { name: 'a server that is not there behind its gateway', faults: [down(502), down(504)], ends: whole },
  {
    name: 'an outage that lasts',
    faults: [down(503, null)],
    ends: failed(`the provider answered ${says.down}`),
  },
  { name: 'no answer at all', faults: [{ kind: 'hang', ...at(often) }], ends: whole },
  { name: 'an answer that breaks off', faults: [{ kind: 'cut', ...at(often) }], ends: whole },
  { name: 'half of an answer', faults: [{ kind: 'truncated', ...at(often) }], ends: whole },
  {
    name: 'half of every answer',
    faults: [{ kind: 'truncated', ...at(often), times: null }],
    ends: brokenAt(oftenOf, 'the answer is not JSON'),
  },
  {
    name: 'a kind of record that the account may not read',
    faults: [{ kind: 'status', status: 403, ...at(drivers), times: null }],
    ends: issue(...['Driver', ...needsDrivers].map((model) => notPermitted(model, name))),
  },
  {
    name: 'a kind of record of which the request is not understood',
    faults: [{ kind: 'status', status: 400, ...at(drivers), times: null }],
    ends: brokenAt('Driver', 'the provider answered 400'),
    unread: ['Driver', ...needsDrivers],
  },
  ...troubles,
]
