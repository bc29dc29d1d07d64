import type { Fault } from '../../../fakes/kit/faults.ts'
import { adapters } from '../adapters.ts'
import { brokenAt, issue, notPermitted, refused, unreadable, completed } from '../expected-endings.ts'
import type { SyncedSubject } from './subject.ts'
import { dialects } from '../../factories.ts'

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
  behaviours: {
    olderLists: 'whole',
    edges: 'exclusive',
    timeFormat: 'no_colon',
    nulls: 'null',
    outdated: 'not_sent',
    blindReports: 'sent',
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
  repeatedRequest: 'GET /api/positions',
  repeatedModel: 'SafetyEvent',
  expired: refused,
  failures: [
    {
      name: 'a stack trace instead of a response',
      faults: [{ kind: 'status', status: 400, endpoint: 'GET /api/reports/trips', times: null }],
      ends: brokenAt('Trip', 'the provider answered 400'),
    },
    {
      name: 'a stack trace that reports a disabled account',
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
      name: 'a stack trace that reports a missing permission',
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
      name: 'unreadable drivers',
      faults: [answers('GET /api/drivers', [{ id: 1, name: 'Ann Lee', uniqueId: '' }, { id: -4 }, 'nobody'])],
      ends: issue(unreadable(3, 'Driver', 'Traccar')),
    },
    {
      name: 'a list of the wrong type',
      faults: [answers('GET /api/groups', { groups: [] })],
      ends: brokenAt('Group', ': Invalid input: expected array, received object'),
    },
    {
      name: 'times without a colon in their zone',
      faults: [],
      behaviours: { timeFormat: 'no_colon' },
      ends: completed,
    },
    { name: 'null for unknown values', faults: [], behaviours: { nulls: 'null' }, ends: completed },
    {
      name: 'periods that exclude their end',
      faults: [],
      behaviours: { edges: 'exclusive' },
      ends: completed,
    },
    { name: 'lists without pagination', faults: [], behaviours: { olderLists: 'whole' }, ends: completed },
    {
      name: 'sums of days without data',
      faults: [],
      behaviours: { quietDevices: 'zero' },
      ends: completed,
    },
    {
      name: 'trackers without an odometer',
      faults: [],
      behaviours: { odometer: 'not_sent' },
      ends: completed,
    },
    {
      name: 'trackers that mark no position as old or unknown',
      faults: [],
      behaviours: { outdated: 'not_sent', nullIsland: 'not_sent' },
      ends: completed,
    },
    {
      name: 'omitted trips that run when a period starts',
      faults: [],
      behaviours: { tripsAcrossFrom: 'left_out' },
      ends: completed,
    },
  ],
  fleets: [
    { name: 'devices without any data yet', options: { days: 0 } },
    {
      name: 'more positions than the server returns at once',
      options: { settings: { maxPositions: '1000' }, world: { fixEveryMilliseconds: 30_000 } },
    },
  ],
  // Lists of groups, drivers and devices; one call each for trips, events and sums of all devices; one call
  // for the positions of each device.
  minCalls: (vehicles) => 3 + 3 + vehicles,
}
