import { adapters } from '../adapters.ts'
import { refused } from '../expected-endings.ts'
import { at, failures } from '../failures/geotab-failures.ts'
import type { SyncedSubject } from './subject.ts'
import { dialects } from '../../factories.ts'

let readers = 0

export const geotab: SyncedSubject = {
  provider: 'geotab',
  name: 'Geotab',
  databases: dialects.slice(-1),
  adapter: adapters.geotab,
  // Returns another user each time: a user may sign in only some times a minute.
  credentials(url) {
    const userName = `reader${++readers}@fleet.example`
    const server = new URL(url).host
    return { server, database: 'fleet_1', userName, password: `the password of ${userName}` }
  },
  behaviours: {
    path: 'another',
    errorNames: 'errors',
    references: 'objects',
    removal: 'gone',
    plannedEnds: 'some',
    trailers: 'both',
    vinInfo: 'present',
    fuelTankCapacity: 'absent',
    nanSpeed: 'bare',
    statusDataInInfo: 'absent',
    adjustedValues: 'none',
    nextTrip: 'unknown',
    runningTrips: 'shown',
    tripDeletion: 'sent',
    tripDistance: 'meters',
    speedingDetails: 'absent',
    eventStates: 'sent',
    seatBelts: 'some',
    faultClosing: 'another',
    dutyEdits: 'some',
    unknownValues: 'some',
    annotations: 'inline',
  },
  drivers: at('Get User'),
  repeatedRequest: at('ExecuteMultiCall'),
  repeatedModel: 'Trip',
  needsDrivers: ['HOSDailyLog'],
  expired: refused,
  description: { limited: 'OverLimitException', down: 'DbUnavailableException' },
  failures,
  fleets: [
    { name: 'devices without any data yet', options: { days: 0 } },
    { name: 'clocks that jump forward', options: { now: '2026-03-09T18:00:00.000Z' } },
    { name: 'clocks that jump back', options: { now: '2026-11-02T18:00:00.000Z' } },
    { name: 'more positions than a feed page holds', options: { world: { fixEveryMilliseconds: 30_000 } } },
  ],
  polledMembers: ['driverSourceId', 'headingDegrees'],
  // Lists of groups, users, trailers and, three times, devices; a feed of each model and of each diagnostic.
  minCalls: () => 6 + 5 + 4,
}
