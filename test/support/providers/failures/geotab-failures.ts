import type { Fault } from '../../../fakes/kit/faults.ts'
import {
  failed,
  issue,
  notPermitted,
  refused,
  type ProviderFailure,
  impossibleValues,
  unreadable,
  completed,
  FIRST_READ_FROM,
  lastingIssues,
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

/** Returns a case for behaviours of the fake that must not change the result. */
const unaffectedBy = (name: string, behaviours: Readonly<Record<string, string>>): ProviderFailure => ({
  name,
  faults: [],
  behaviours,
  ends: completed,
})

/** Failures that only Geotab has. */
export const failures: readonly ProviderFailure[] = [
  ...['both', 'data', 'errors'].flatMap((errorNames): ProviderFailure[] => [
    {
      name: `an expired session, reported in ${errorNames}`,
      faults: [refusing(401, 'GetFeed Trip'), refusing(401, 'ExecuteMultiCall', { after: 1 })],
      behaviours: { errorNames },
      ends: completed,
    },
    {
      name: `a database that is starting, reported in ${errorNames}`,
      faults: [refusing(503, 'GetFeed Trip', { times: 2 })],
      behaviours: { errorNames },
      ends: completed,
    },
    {
      name: `a rate limit, reported in ${errorNames}`,
      faults: [limited('0.3')],
      behaviours: { errorNames },
      ends: completed,
    },
  ]),
  {
    name: 'a changed password',
    faults: [refusing(401, 'GetFeed Trip'), refusing(401, 'Authenticate', { times: null })],
    ends: refused,
  },
  {
    name: 'a rate limit on sign-ins',
    faults: [
      refusing(401, 'GetFeed Trip'),
      refusing(429, 'Authenticate', { headers: { 'retry-after': '58' } }),
    ],
    ends: completed,
  },
  ...['0.4', '1', '58', ''].map((retryAfter) => ({
    name: `a rate limit with status 429 that ends after ${retryAfter || 'an unknown number of'} seconds`,
    faults: [limited(retryAfter)],
    behaviours: { overLimit: '429' },
    ends: completed,
  })),
  { name: 'a rate limit without a retry time', faults: [limited('')], ends: completed },
  {
    name: 'a rate limit with status 429 that does not end',
    faults: [limited('0.01', { times: null })],
    behaviours: { overLimit: '429' },
    ends: failed('the provider answered 429'),
  },
  {
    name: 'an unknown database',
    faults: [{ kind: 'status', status: 200, times: null, body: unknownDatabase }],
    ends: refused,
  },
  unaffectedBy('a database that moves to another host', { path: 'another' }),
  {
    name: 'a repeated page of a feed',
    faults: [{ kind: 'repeated', ...at('GetFeed LogRecord') }],
    ends: completed,
  },
  ...['Trip', 'ExceptionEvent'].map((typeName) => ({
    name: `a user group without permission for each ${typeName}`,
    faults: [refusing(403, `GetFeed ${typeName}`, { times: null })],
    ends: issue(notPermitted(typeName === 'Trip' ? 'Trip' : 'SafetyEvent', 'Geotab')),
  })),
  {
    name: 'trips that end before they start, invalid positions and invalid speeds',
    faults: [],
    behaviours: { oddRecords: 'some', nanSpeed: 'bare' },
    ...lastingIssues(
      impossibleValues('HOSDailyLog', 'location', 'Geotab', FIRST_READ_FROM),
      impossibleValues('HOSLog', 'location', 'Geotab', FIRST_READ_FROM),
      unreadable(2, 'Trip', 'Geotab', FIRST_READ_FROM),
    ),
  },
  unaffectedBy('unknown statuses, rules and diagnostics', { unknownValues: 'some' }),
  unaffectedBy('references as objects', { references: 'objects' }),
  unaffectedBy('trips that are still running', { runningTrips: 'shown' }),
  unaffectedBy('deleted and recomputed trips', { tripDeletion: 'sent' }),
  unaffectedBy('logs that an edit removed', { dutyEdits: 'some' }),
  unaffectedBy('events that were found invalid or dismissed', { eventStates: 'sent' }),
  unaffectedBy('end times in the future', { plannedEnds: 'some' }),
  unaffectedBy('trailers that are devices', { trailers: 'devices' }),
  unaffectedBy('servers without the type Trailer', { trailers: 'unknown type' }),
]
