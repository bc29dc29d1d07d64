import { adapters } from '../adapters.ts'
import { refused } from '../expected-endings.ts'
import { failures } from '../failures/samsara-failures.ts'
import type { SyncedSubject } from './subject.ts'
import { dialects } from '../../factories.ts'

/** Days and months of the first sync. */
const [DAYS, MONTHS] = [11, 14]
const [READINGS_OF_A_PAGE, FIXES_OF_A_DAY, SHARE_THAT_DRIVES] = [5000, 15, 0.75]

export const samsara: SyncedSubject = {
  provider: 'samsara',
  name: 'Samsara',
  databases: dialects.slice(-1),
  adapter: adapters.samsara,
  // Credentials as stored after the region and the organization of the token are known.
  credentials: () => ({ token: 'fake-token-1', region: 'us', organization: '10001' }),
  behaviours: {
    oldErrors: 'object',
    lastCursor: 'kept',
    pageSize: '5',
    readingsPerPage: '200',
    unlistedPerSecond: '0',
    times: 'offset',
    badFixes: 'null-island',
    emptyLists: 'omitted',
    phones: 'e164',
    energyTypes: 'fuel',
    quietVehicles: 'zeros',
    obdOdometers: 'all',
    noDistance: 'omitted',
    openLog: 'future',
    hosLogs: 'begun',
    appOffline: 'yes',
    noDriver: 'zero',
    deletedTrips: 'some',
    oldTrips: 'overlapping',
    runningEnd: 'current',
  },
  drivers: 'GET /fleet/drivers',
  repeatedRequest: 'GET /fleet/reports/vehicles/fuel-energy',
  repeatedModel: 'Vehicle',
  expired: refused,
  failures,
  fleets: [
    { name: 'a day of 23 hours', options: { now: '2026-03-09T18:00:00.000Z' } },
    { name: 'a day of 25 hours', options: { now: '2026-11-02T18:00:00.000Z' } },
  ],
  /**
   * One call for tags, both kinds of drivers, vehicles, their fuel types, trailers, gateways, events, faults,
   * daily logs of both kinds of drivers, odometers and three feeds. One call for each day, for logs of two
   * days, for each month of a year before this one, and for each vehicle that drove. One call for the trips
   * of fifty vehicles, and readings in full pages.
   */
  minCalls(vehicles) {
    const pages = Math.ceil((vehicles * DAYS * FIXES_OF_A_DAY) / READINGS_OF_A_PAGE)
    const driven = Math.floor(vehicles * SHARE_THAT_DRIVES)
    return 15 + DAYS + Math.ceil(DAYS / 2) + MONTHS + driven + Math.ceil(vehicles / 50) + 3 * pages
  },
}
