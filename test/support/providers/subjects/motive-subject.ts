import { adapters } from '../adapters.ts'
import { issue, notPermitted } from '../expected-endings.ts'
import { failures } from '../failures/motive-failures.ts'
import type { SyncedSubject } from './subject.ts'
import { dialects } from '../../factories.ts'

export const motive: SyncedSubject = {
  provider: 'motive',
  name: 'Motive',
  databases: dialects.slice(0, 1),
  vehicles: 16,
  behaviours: {
    errorBody: 'empty',
    order: 'newest_first',
    happeningsChanged: 'ignored',
    speedingChanged: 'honoured',
    faultsChanged: 'honoured',
    unknownZone: 'utc',
    endDate: 'exclusive',
    metricHeader: 'honoured',
    atOncePer: 'credential',
    tooManyAtOnce: '503',
    dotIds: 'none',
    groupIds: 'sent',
    electricFuel: 'other',
    assetPlace: 'current_location',
    latestUnits: 'sent',
    historyNames: 'location_histories',
    historyPages: 'pages',
    locationTypes: 'new_ones',
    badPlaces: 'some',
    nullIsland: 'now_and_then',
    drivingRuns: 'left_out',
    drivingWindow: 'none',
    drivingMatch: 'overlapping',
    drivingKilometers: 'whole',
    drivingOdometers: 'sometimes_null',
    drivingEnds: 'left_out',
    undatedLogs: 'all',
    eventEnds: 'whole',
    openEvent: 'now',
    specialDuties: 'as_others',
    notes: 'in_events',
    dutyBesideTime: 'left_out',
    acceleration: 'absolute',
    coordinates: 'texts',
    eventTypes: 'new_ones',
    cameras: 'some',
    faultNetworks: 'others',
    fmi: 'number',
    utilizationDates: 'start_date',
    iftaDistance: 'number',
  },
  adapter: adapters.motive,
  credentials: () => ({ apiKey: 'fake-key-1' }),
  drivers: 'GET /v1/users',
  repeatedRequest: 'GET /v3/vehicle_locations/:id',
  repeatedModel: 'VehicleLocation',
  // The token still reads other models; only this one is forbidden.
  expired: issue(notPermitted('VehicleLocation', 'Motive'), notPermitted('VehicleStatLog', 'Motive')),
  failures,
  fleets: [
    { name: 'a day of 23 hours', options: { now: '2026-03-09T18:00:00.000Z' } },
    { name: 'a day of 25 hours', options: { now: '2026-11-02T18:00:00.000Z' } },
  ],
  // Lists of groups, of the members of each, of users, vehicles, assets, gateways, driving, events, speeding
  // and faults, and logs twice; the history of each vehicle twice; a list of sums for each day and each
  // month.
  minCalls: (vehicles) => 20 + 2 * vehicles + 10 + 13,
}
