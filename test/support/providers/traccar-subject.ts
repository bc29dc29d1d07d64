import type { Fault } from '../../fakes/kit/faults.ts'
import { adapters } from './adapters.ts'
import { brokenAt, issue, notPermitted, refused, unreadable, whole } from './expected-endings.ts'
import type { SyncedSubject } from './subject.ts'
import { dialects } from '../factories.ts'

const answers = (endpoint: string, body: unknown, times: number | null = null): Fault => ({
  kind: 'status',
  status: 200,
  endpoint,
  body,
  times,
})

const trace = (type: string, text: string) =>
  `${text} - ${type} (... < BaseObjectResource:105 < *:-1)\n\tat org.traccar.api.BaseResource.x(B.java:41)\n`

export const traccar: SyncedSubject = {
  provider: 'traccar',
  name: 'Traccar',
  turned: {
    olderLists: 'whole',
    edges: 'exclusive',
    timeFormat: 'no_colon',
    nulls: 'null',
    outdated: 'not_sent',
    blindReports: 'told',
    odometer: 'not_sent',
    tripsAcrossFrom: 'left_out',
    quietDevices: 'zero',
    timeZones: 'offsets',
  },
  databases: dialects.slice(0, 1),
  vehicles: 20,
  adapter: adapters.traccar,
  credentials: (url) => ({ serverUrl: url, token: 'token-1' }),
  drivers: 'GET /api/drivers',
  often: 'GET /api/positions',
  oftenOf: 'SafetyEvent',
  expired: refused,
  troubles: [
    {
      name: 'a stack trace in place of an answer',
      faults: [{ kind: 'status', status: 400, endpoint: 'GET /api/reports/trips', times: null }],
      ends: brokenAt('Trip', 'the provider answered 400'),
    },
    {
      name: 'a stack trace that says the account is disabled',
      faults: [
        {
          kind: 'status',
          status: 400,
          times: null,
          body: trace('SecurityException', 'Account is disabled'),
        },
      ],
      ends: refused,
    },
    {
      name: 'a stack trace that says the account may not',
      faults: [
        {
          kind: 'status',
          status: 400,
          endpoint: 'GET /api/groups',
          times: null,
          body: trace('SecurityException', 'Group access denied'),
        },
      ],
      ends: issue(notPermitted('Group', 'Traccar')),
    },
    {
      name: 'drivers that cannot be read',
      faults: [answers('GET /api/drivers', [{ id: 1, name: 'Ann Lee', uniqueId: '' }, { id: -4 }, 'nobody'])],
      ends: issue(unreadable(3, 'Driver', 'Traccar')),
    },
    {
      name: 'a list that is none',
      faults: [answers('GET /api/groups', { groups: [] })],
      ends: brokenAt('Group', ': Invalid input: expected array, received object'),
    },
    {
      name: 'times without the colon of their zone',
      faults: [],
      behaves: { timeFormat: 'no_colon' },
      ends: whole,
    },
    { name: 'null for what is unknown', faults: [], behaves: { nulls: 'null' }, ends: whole },
    {
      name: 'periods whose end is not part of them',
      faults: [],
      behaves: { edges: 'exclusive' },
      ends: whole,
    },
    { name: 'lists that cannot be paged', faults: [], behaves: { olderLists: 'whole' }, ends: whole },
    {
      name: 'sums of days on which nothing was told',
      faults: [],
      behaves: { quietDevices: 'zero' },
      ends: whole,
    },
    {
      name: 'trackers without an odometer of their own',
      faults: [],
      behaves: { odometer: 'not_sent' },
      ends: whole,
    },
    {
      name: 'trackers that tell no old and no unknown places',
      faults: [],
      behaves: { outdated: 'not_sent', nullIsland: 'not_sent' },
      ends: whole,
    },
    {
      name: 'trips left out that run when a period begins',
      faults: [],
      behaves: { tripsAcrossFrom: 'left_out' },
      ends: whole,
    },
  ],
  fleets: [
    { name: 'devices that have told nothing yet', options: { days: 0 } },
    {
      name: 'more positions than the server gives at once',
      options: { settings: { maxPositions: '1000' }, world: { fixEveryMilliseconds: 30_000 } },
    },
  ],
  // Lists of groups, drivers and devices; trips, events and sums of all devices in a call each; the positions of each.
  fewestCalls: (vehicles) => 3 + 3 + vehicles,
}
