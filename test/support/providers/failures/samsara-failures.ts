import type { Fault } from '../../../fakes/kit/faults.ts'
import {
  brokenAt,
  issue,
  notPermitted,
  readWithout,
  type ProviderFailure,
  impossibleValues,
  unreadable,
  completed,
  FIRST_READ_FROM,
  lastingIssues,
} from '../expected-endings.ts'

const HISTORY = 'GET /fleet/vehicles/stats/history'
const FEED = 'GET /fleet/vehicles/stats/feed'

const answered = (status: number, endpoint: string, more: Partial<Fault> = {}): Fault => ({
  kind: 'status',
  status,
  endpoint,
  ...more,
})

const always = { times: null }

const noPermission = (scope: string) => ({
  body: { message: `The token has no permission: ${scope}.`, requestId: '8916e1c1' },
  ...always,
})

const notRead = (...models: readonly string[]) =>
  issue(...models.map((model) => notPermitted(model, 'Samsara')))

/** A cursor is stored between syncs, so the provider may forget it. */
const forgotten: readonly ProviderFailure[] = [
  {
    name: 'forgotten feed cursors',
    later: true,
    behaviours: { cursors: 'forgotten', readingsPerPage: '200' },
    faults: [],
    ends: completed,
  },
  {
    name: 'a feed that is unreadable from now on',
    later: true,
    faults: [answered(400, FEED, always)],
    ends: brokenAt('VehicleLocation', 'the provider answered 400'),
  },
]

/** The first page of readings has fault codes, the second has positions. */
const repeated: readonly ProviderFailure[] = [
  {
    name: 'a repeated page',
    behaviours: { readingsPerPage: '200' },
    faults: [{ kind: 'repeated', endpoint: HISTORY, after: 2 }],
    ends: completed,
  },
  {
    name: 'a page that repeats forever',
    behaviours: { readingsPerPage: '200' },
    faults: [{ kind: 'repeated', endpoint: HISTORY, after: 2, ...always }],
    ends: brokenAt('VehicleLocation', '/fleet/vehicles/stats/history repeats its cursor'),
  },
]

const scopes: readonly ProviderFailure[] = [
  {
    name: 'a missing scope, refused as if there were no token',
    faults: [answered(401, 'GET /fleet/drivers', noPermission('Read Drivers'))],
    ends: notRead('Driver'),
  },
  {
    name: 'a missing scope of measurements',
    faults: [answered(403, FEED, always)],
    ends: notRead('VehicleLocation', 'VehicleStatLog'),
  },
  {
    name: 'a missing scope of mileage',
    faults: [answered(403, 'GET /fleet/reports/ifta/vehicle', always)],
    ends: notRead('IFTASummary'),
  },
  {
    name: 'a missing scope of driver assignments',
    faults: [answered(403, 'GET /v1/fleet/trips', always)],
    ends: issue(readWithout('Trip', 'driver and distance', 'Samsara')),
  },
]

const unknownEvent = {
  data: [
    {
      id: '1,2',
      asset: { id: '281474976000001' },
      behaviorLabels: [{ label: 'LooseCargoDetected' }],
      startMs: '2026-06-15T17:00:00Z',
    },
  ],
  pagination: { endCursor: '', hasNextPage: false },
}

const formats: readonly ProviderFailure[] = [
  { name: 'errors in plain text', faults: [answered(500, 'GET /v1/fleet/trips')], ends: completed },
  { name: 'times in another zone', behaviours: { times: 'offset' }, faults: [], ends: completed },
  {
    name: 'pages of five',
    behaviours: { pageSize: '5', readingsPerPage: '200' },
    faults: [],
    ends: completed,
  },
  { name: 'last pages with a cursor', behaviours: { lastCursor: 'kept' }, faults: [], ends: completed },
  { name: 'running trips with an end', behaviours: { runningEnd: 'current' }, faults: [], ends: completed },
  {
    name: 'trips that started before the window',
    behaviours: { oldTrips: 'overlapping' },
    faults: [],
    ends: completed,
  },
  { name: 'a log that continues tomorrow', behaviours: { openLog: 'future' }, faults: [], ends: completed },
  { name: 'logs in order of their start', behaviours: { hosLogs: 'begun' }, faults: [], ends: completed },
  { name: 'id 0 for no driver', behaviours: { noDriver: 'zero' }, faults: [], ends: completed },
  {
    name: 'sums of vehicles that stood',
    behaviours: { quietVehicles: 'zeros' },
    faults: [],
    ends: completed,
  },
  {
    name: 'gateways without a position',
    behaviours: { badFixes: 'null-island' },
    faults: [],
    ends: completed,
  },
  {
    name: 'invalid positions',
    behaviours: { badFixes: 'latitude' },
    faults: [],
    ...lastingIssues(
      impossibleValues('Trip', 'endLocation, startLocation', 'Samsara', FIRST_READ_FROM),
      unreadable(38, 'VehicleLocation', 'Samsara', FIRST_READ_FROM),
    ),
  },
  {
    name: 'an event with an unknown label',
    faults: [answered(200, 'GET /safety-events/stream', { body: unknownEvent })],
    ...lastingIssues(unreadable(1, 'SafetyEvent', 'Samsara', FIRST_READ_FROM)),
  },
  {
    name: 'unknown duty statuses',
    behaviours: { unknownDuties: 'yes' },
    faults: [],
    ends: issue(unreadable(4, 'HOSLog', 'Samsara', FIRST_READ_FROM)),
    // The next sync reads the last day again.
    next: issue(unreadable(3, 'HOSLog', 'Samsara', FIRST_READ_FROM)),
  },
]

export const failures: readonly ProviderFailure[] = [
  ...forgotten,
  ...repeated,
  ...scopes,
  ...formats,
  {
    name: 'a request that is rejected as invalid',
    faults: [answered(400, 'GET /trips/stream', always)],
    ends: brokenAt('Trip', 'the provider answered 400'),
  },
]
