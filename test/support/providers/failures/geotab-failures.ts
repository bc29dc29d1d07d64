import type { Fault } from '../../../fakes/kit/faults.ts'
import {
  failed,
  issue,
  notPermitted,
  refused,
  type ProviderFailure,
  misfitting,
  unreadable,
  whole,
  FIRST_READ_FROM,
  stays,
} from '../expected-endings.ts'

/** Matches calls of the first database by their key, for any user. */
export const at = (key: string) => ({ endpoint: 'POST /apiv1', key: `fleet_1 ${key}` })

/** Returns a fault for calls with a key: once by default. */
const refusing = (status: number, key: string, more: Partial<Fault> = {}): Fault => ({
  kind: 'status',
  status,
  ...at(key),
  ...more,
})

const limited = (retryAfter: string, more: Partial<Fault> = {}): Fault =>
  refusing(429, 'GetFeed Trip', { headers: { 'retry-after': retryAfter }, ...more })

const error = { code: -32000, name: 'JSONRPCError', message: 'UnknownDatabase: fleet_1' }
const unknownDatabase = {
  error: { ...error, data: { type: 'DbUnavailableException', requestIndex: 0 } },
  jsonrpc: '2.0',
}

const whatever = (name: string, behaves: Readonly<Record<string, string>>): ProviderFailure => ({
  name,
  faults: [],
  behaves,
  ends: whole,
})

/** Failures that only Geotab has. */
export const failures: readonly ProviderFailure[] = [
  ...['both', 'data', 'errors'].flatMap((errorNames): ProviderFailure[] => [
    {
      name: `an expired session, reported in ${errorNames}`,
      faults: [refusing(401, 'GetFeed Trip'), refusing(401, 'ExecuteMultiCall', { after: 1 })],
      behaves: { errorNames },
      ends: whole,
    },
    {
      name: `a database that is starting, reported in ${errorNames}`,
      faults: [refusing(503, 'GetFeed Trip', { times: 2 })],
      behaves: { errorNames },
      ends: whole,
    },
    {
      name: `a rate limit, reported in ${errorNames}`,
      faults: [limited('0.3')],
      behaves: { errorNames },
      ends: whole,
    },
  ]),
  {
    name: 'a changed password',
    faults: [refusing(401, 'GetFeed Trip'), refusing(401, 'Authenticate', { times: null })],
    ends: refused,
  },
  {
    name: 'a rate limit of sign-ins',
    faults: [
      refusing(401, 'GetFeed Trip'),
      refusing(429, 'Authenticate', { headers: { 'retry-after': '58' } }),
    ],
    ends: whole,
  },
  ...['0.4', '1', '58', ''].map((retryAfter) => ({
    name: `a rate limit with a status, over after ${retryAfter || 'an unknown number of'} seconds`,
    faults: [limited(retryAfter)],
    behaves: { overLimit: '429' },
    ends: whole,
  })),
  { name: 'a rate limit without a time', faults: [limited('')], ends: whole },
  {
    name: 'a rate limit with a status that lasts',
    faults: [limited('0.01', { times: null })],
    behaves: { overLimit: '429' },
    ends: failed('the provider answered 429'),
  },
  {
    name: 'an unknown database',
    faults: [{ kind: 'status', status: 200, times: null, body: unknownDatabase }],
    ends: refused,
  },
  whatever('a database that moves to another host', { path: 'another' }),
  {
    name: 'a repeated page of a feed',
    faults: [{ kind: 'repeated', ...at('GetFeed LogRecord') }],
    ends: whole,
  },
  ...['Trip', 'ExceptionEvent'].map((typeName) => ({
    name: `a user group without permission for each ${typeName}`,
    faults: [refusing(403, `GetFeed ${typeName}`, { times: null })],
    ends: issue(notPermitted(typeName === 'Trip' ? 'Trip' : 'SafetyEvent', 'Geotab')),
  })),
  {
    name: 'trips that end before they start, invalid positions and invalid speeds',
    faults: [],
    behaves: { oddRecords: 'some', nanSpeed: 'bare' },
    ...stays(
      misfitting('HOSDailyLog', 'location', 'Geotab', FIRST_READ_FROM),
      misfitting('HOSLog', 'location', 'Geotab', FIRST_READ_FROM),
      unreadable(2, 'Trip', 'Geotab', FIRST_READ_FROM),
    ),
  },
  whatever('unknown statuses, rules and diagnostics', { unknownValues: 'some' }),
  whatever('references as objects', { references: 'objects' }),
  whatever('trips that run', { runningTrips: 'shown' }),
  whatever('deleted and recomputed trips', { tripDeletion: 'sent' }),
  whatever('logs that were edited away', { dutyEdits: 'some' }),
  whatever('events that were found invalid or dismissed', { eventStates: 'sent' }),
  whatever('ends that are still to come', { plannedEnds: 'some' }),
  whatever('trailers that are devices', { trailers: 'devices' }),
  whatever('servers that know no trailers', { trailers: 'unknown type' }),
]
