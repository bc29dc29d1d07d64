import type { Fault } from '../../fakes/kit/faults.ts'
import { brokenAt, issue, notPermitted, type ProviderFailure, unreadable, whole } from './expected-endings.ts'

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

/** However the fake behaves, all is read as it is. */
const behaving = (name: string, behaves: Readonly<Record<string, string>>): ProviderFailure => ({
  name,
  faults: [],
  behaves,
  ends: whole,
})

/** What only Motive does, of which only the status of its refusals is sure. */
export const troubles: readonly ProviderFailure[] = [
  {
    name: 'a model that is refused as if nobody had signed in',
    faults: [refuses('GET /v1/driving_periods', 401)],
    ends: issue(notPermitted('Trip', 'Motive')),
  },
  {
    name: 'groups that may not be read, of whoever may',
    faults: [refuses('GET /v1/groups', 403)],
    ends: issue(notPermitted('Group', 'Motive')),
  },
  {
    name: 'drivers that cannot be read',
    faults: [answers('GET /v1/users', { users: [{ user: { id: null } }, { user: 'nobody' }, {}] })],
    ends: issue(unreadable(3, 'Driver', 'Motive')),
  },
  {
    name: 'a list that is none',
    faults: [answers('GET /v1/assets', { assets: 'none' })],
    ends: brokenAt('Trailer', '/v1/assets has no list'),
  },
  {
    name: 'another page than was asked for',
    faults: [answers('GET /v1/assets', { assets: [], pagination: { per_page: 25, page_no: 4, total: 80 } })],
    ends: brokenAt('Trailer', '/v1/assets gave another page than was asked for'),
  },
  behaving('lists that begin with the newest', { order: 'newest_first' }),
  behaving('histories in pages, by another name', {
    historyPages: 'pages',
    historyNames: 'location_histories',
  }),
  behaving('places that cannot be, and words that nobody knows', {
    badPlaces: 'some',
    locationTypes: 'new_ones',
    eventTypes: 'new_ones',
  }),
  behaving('groups that are told with their members', { groupIds: 'told' }),
  behaving('periods whose last date is no part of them', { endDate: 'exclusive' }),
  behaving('sums that have other names for their dates', { utilizationDates: 'start_date' }),
  behaving('driving that is told before it began and never while it lasts', {
    drivingMatch: 'overlapping',
    drivingRuns: 'left_out',
  }),
  behaving('lists that can be asked for what was changed, and lists that cannot', {
    faultsChanged: 'honoured',
    speedingChanged: 'honoured',
    happeningsChanged: 'ignored',
  }),
  behaving('logs of whole events, and one that ends now', { eventEnds: 'whole', openEvent: 'now' }),
]
