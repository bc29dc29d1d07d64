import type { Fault } from '../../../fakes/kit/faults.ts'
import {
  brokenAt,
  issue,
  notPermitted,
  type ProviderFailure,
  unreadable,
  completed,
} from '../expected-endings.ts'

const answers = (endpoint: string, body: unknown): Fault => ({
  kind: 'status',
  status: 200,
  endpoint,
  body,
  times: null,
})

const refuses = (endpoint: string, status: number): Fault => ({
  kind: 'status',
  status,
  endpoint,
  body: '',
  times: null,
})

/** Returns a case for behaviours of the fake that must not change the result. */
const unaffectedBy = (name: string, behaviours: Readonly<Record<string, string>>): ProviderFailure => ({
  name,
  faults: [],
  behaviours,
  ends: completed,
})

/** Failures that only Motive has. Only the status of its error responses is certain. */
export const failures: readonly ProviderFailure[] = [
  {
    name: 'a model refused as if unauthenticated',
    faults: [refuses('GET /v1/driving_periods', 401)],
    ends: issue(notPermitted('Trip', 'Motive')),
  },
  {
    name: 'groups without permission for anyone',
    faults: [refuses('GET /v1/groups', 403)],
    ends: issue(notPermitted('Group', 'Motive')),
  },
  {
    name: 'unreadable drivers',
    faults: [answers('GET /v1/users', { users: [{ user: { id: null } }, { user: 'nobody' }, {}] })],
    ends: issue(unreadable(3, 'Driver', 'Motive')),
  },
  {
    name: 'a list of the wrong type',
    faults: [answers('GET /v1/assets', { assets: 'none' })],
    ends: brokenAt('Trailer', '/v1/assets has no list'),
  },
  {
    name: 'another page than the requested one',
    faults: [answers('GET /v1/assets', { assets: [], pagination: { per_page: 25, page_no: 4, total: 80 } })],
    ends: brokenAt('Trailer', '/v1/assets returned another page than requested'),
  },
  unaffectedBy('lists that begin with the newest', { order: 'newest_first' }),
  unaffectedBy('histories in pages, by another name', {
    historyPages: 'pages',
    historyNames: 'location_histories',
  }),
  unaffectedBy('invalid positions and unknown words', {
    badPlaces: 'some',
    locationTypes: 'new_ones',
    eventTypes: 'new_ones',
  }),
  unaffectedBy('groups with their members', { groupIds: 'sent' }),
  unaffectedBy('periods that exclude their last date', { endDate: 'exclusive' }),
  unaffectedBy('sums with other names for their dates', { utilizationDates: 'start_date' }),
  unaffectedBy('driving that appears before its start and never while it runs', {
    drivingMatch: 'overlapping',
    drivingRuns: 'left_out',
  }),
  unaffectedBy('lists with and without a filter by modification', {
    faultsChanged: 'honoured',
    speedingChanged: 'honoured',
    happeningsChanged: 'ignored',
  }),
  unaffectedBy('logs of whole events, and one that ends now', { eventEnds: 'whole', openEvent: 'now' }),
]
