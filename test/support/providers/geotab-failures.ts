import type { Fault } from '../../fakes/kit/faults.ts'
import {
  failed,
  issue,
  notPermitted,
  refused,
  type ProviderFailure,
  unreadable,
  whole,
} from './expected-endings.ts'

/** Whoever calls what of the first database. */
export const at = (key: string) => ({ endpoint: 'POST /apiv1', key: `fleet_1 ${key}` })

/** One kind of trouble at some calls: once, where it does not say how often. */
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

/** What only Geotab does. */
export const troubles: readonly ProviderFailure[] = [
  ...['both', 'data', 'errors'].flatMap((errorNames): ProviderFailure[] => [
    {
      name: `a session that ended, which is told in ${errorNames}`,
      faults: [refusing(401, 'GetFeed Trip'), refusing(401, 'ExecuteMultiCall', { after: 1 })],
      behaves: { errorNames },
      ends: whole,
    },
    {
      name: `a database that begins to run, which is told in ${errorNames}`,
      faults: [refusing(503, 'GetFeed Trip', { times: 2 })],
      behaves: { errorNames },
      ends: whole,
    },
    {
      name: `a limit, which is told in ${errorNames}`,
      faults: [limited('0.3')],
      behaves: { errorNames },
      ends: whole,
    },
  ]),
  {
    name: 'a password that was changed',
    faults: [refusing(401, 'GetFeed Trip'), refusing(401, 'Authenticate', { times: null })],
    ends: refused,
  },
  {
    name: 'a limit of sign-ins',
    faults: [
      refusing(401, 'GetFeed Trip'),
      refusing(429, 'Authenticate', { headers: { 'retry-after': '58' } }),
    ],
    ends: whole,
  },
  ...['0.4', '1', '58', ''].map((retryAfter) => ({
    name: `a limit that is a status too, and is over after ${retryAfter || 'who knows how many'} seconds`,
    faults: [limited(retryAfter)],
    behaves: { overLimit: '429' },
    ends: whole,
  })),
  { name: 'a limit that does not say when it is over', faults: [limited('')], ends: whole },
  {
    name: 'a limit that is a status too, and lasts',
    faults: [limited('0.01', { times: null })],
    behaves: { overLimit: '429' },
    ends: failed('the provider answered 429'),
  },
  {
    name: 'a database that nobody knows any more',
    faults: [{ kind: 'status', status: 200, times: null, body: unknownDatabase }],
    ends: refused,
  },
  whatever('a database that moves to another host', { path: 'another' }),
  {
    name: 'a page of a feed that is told again',
    faults: [{ kind: 'repeated', ...at('GetFeed LogRecord') }],
    ends: whole,
  },
  ...['Trip', 'ExceptionEvent'].map((typeName) => ({
    name: `a group that may not see each ${typeName}`,
    faults: [refusing(403, `GetFeed ${typeName}`, { times: null })],
    ends: issue(notPermitted(typeName === 'Trip' ? 'Trip' : 'SafetyEvent', 'Geotab')),
  })),
  {
    name: 'trips that stop before they start, places that are nowhere, speeds that are none',
    faults: [],
    behaves: { oddRecords: 'some', nanSpeed: 'bare' },
    ends: issue(unreadable(2, 'Trip', 'Geotab')),
  },
  whatever('statuses, rules and diagnostics that nobody knows', { newWords: 'some' }),
  whatever('references as objects', { references: 'objects' }),
  whatever('trips that run', { runningTrips: 'shown' }),
  whatever('trips that were deleted or computed anew', { tripDeletion: 'told' }),
  whatever('logs that were edited away', { dutyEdits: 'some' }),
  whatever('events that were found invalid or dismissed', { eventStates: 'told' }),
  whatever('ends that are still to come', { plannedEnds: 'some' }),
  whatever('trailers that are devices', { trailers: 'devices' }),
  whatever('servers that know no trailers', { trailers: 'unknown type' }),
]
