import { adapters } from './adapters.ts'
import { refused } from './expected-endings.ts'
import { at, troubles } from './geotab-failures.ts'
import type { SyncedSubject } from './subject.ts'
import { dialects } from '../factories.ts'

let readers = 0

export const geotab: SyncedSubject = {
  provider: 'geotab',
  name: 'Geotab',
  databases: dialects.slice(-1),
  adapter: adapters.geotab,
  // Somebody else each time: whoever signs in may do so only some times a minute.
  credentials(url) {
    const userName = `reader${++readers}@fleet.example`
    const server = new URL(url).host
    return { server, database: 'fleet_1', userName, password: `the password of ${userName}` }
  },
  turned: {
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
    nextTrip: 'unknown',
    runningTrips: 'shown',
    tripDeletion: 'told',
    tripDistance: 'meters',
    speedingDetails: 'absent',
    eventStates: 'told',
    seatBelts: 'some',
    faultClosing: 'another',
    dutyEdits: 'some',
    newWords: 'some',
    annotations: 'inline',
  },
  drivers: at('Get User'),
  often: at('ExecuteMultiCall'),
  oftenOf: 'Trip',
  needsDrivers: ['HOSDailyLog'],
  expired: refused,
  says: { limited: 'OverLimitException', down: 'DbUnavailableException' },
  troubles,
  fleets: [
    { name: 'devices that have told nothing yet', options: { days: 0 } },
    { name: 'clocks that went forward', options: { now: '2026-03-09T18:00:00.000Z' } },
    { name: 'clocks that went back', options: { now: '2026-11-02T18:00:00.000Z' } },
    { name: 'more places than a page of a feed has', options: { world: { fixEveryMilliseconds: 30_000 } } },
  ],
  pollingTells: ['driverSourceId', 'headingDegrees'],
  // Lists of groups, users, trailers and, three times, devices; a feed of each kind of record, and of each diagnostic.
  fewestCalls: () => 6 + 5 + 4,
}
