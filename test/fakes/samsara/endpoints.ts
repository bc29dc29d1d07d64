import type { FakeRequest } from './http/call.ts'
import { camerasMedia } from './records/media.ts'
import { hosClocks } from './records/clocks.ts'
import { hosDailyLogs } from './records/daily-logs.ts'
import { hosLogs } from './records/hos-logs.ts'
import { maintenanceList } from './records/maintenance.ts'
import { oldTrips } from './records/old-trips.ts'
import { safetyEventsById, safetyEventsStream } from './records/safety.ts'
import { speedingIntervalsStream } from './records/speeding.ts'
import { tripsStream } from './records/trips.ts'
import { fuelEnergyReport } from './reports/fuel-energy.ts'
import { idlingEvents } from './reports/idling.ts'
import { iftaByVehicle } from './reports/ifta.ts'
import { getDriver, listDrivers } from './roster/drivers.ts'
import { listGateways } from './roster/gateways.ts'
import { getMe } from './roster/me.ts'
import { listTags } from './roster/tags.ts'
import { getTrailer, listTrailers } from './roster/trailers.ts'
import { getVehicle, listVehicles } from './roster/vehicles.ts'
import { vehicleLocations, vehicleLocationsFeed, vehicleLocationsHistory } from './stats/locations.ts'
import { trailerStats, trailerStatsFeed, trailerStatsHistory } from './stats/trailers.ts'
import { vehicleStats, vehicleStatsFeed, vehicleStatsHistory } from './stats/vehicles.ts'
import type { Subscriptions } from './webhooks/subscriptions.ts'

export interface Endpoint {
  readonly method: string
  /** Path with `:id` for an id. */
  readonly path: string
  /** Scope that a token needs. */
  readonly scope: string
  /** Requests per second of an organization; null if no limit is published. */
  readonly perSecond: number | null
  readonly answer: (request: FakeRequest) => object | null
}

const get = (
  path: string,
  scope: string,
  perSecond: number | null,
  answer: Endpoint['answer'],
): Endpoint => ({
  method: 'GET',
  path,
  scope,
  perSecond,
  answer,
})

const reads: readonly Endpoint[] = [
  get('/me', 'Read Org Information', null, getMe),
  get('/tags', 'Read Tags', null, listTags),
  get('/gateways', 'Read Gateways', 5, listGateways),
  get('/fleet/vehicles', 'Read Vehicles', 25, listVehicles),
  get('/fleet/vehicles/stats', 'Read Vehicle Statistics', null, vehicleStats),
  get('/fleet/vehicles/stats/feed', 'Read Vehicle Statistics', null, vehicleStatsFeed),
  get('/fleet/vehicles/stats/history', 'Read Vehicle Statistics', null, vehicleStatsHistory),
  get('/fleet/vehicles/locations', 'Read Vehicle Statistics', null, vehicleLocations),
  get('/fleet/vehicles/locations/feed', 'Read Vehicle Statistics', null, vehicleLocationsFeed),
  get('/fleet/vehicles/locations/history', 'Read Vehicle Statistics', null, vehicleLocationsHistory),
  get('/fleet/vehicles/:id', 'Read Vehicles', null, getVehicle),
  get('/fleet/drivers', 'Read Drivers', null, listDrivers),
  get('/fleet/drivers/:id', 'Read Drivers', null, getDriver),
  get('/fleet/trailers', 'Read Trailers', null, listTrailers),
  get('/fleet/trailers/stats', 'Read Trailer Statistics', 25, trailerStats),
  get('/fleet/trailers/stats/feed', 'Read Trailer Statistics', 25, trailerStatsFeed),
  get('/fleet/trailers/stats/history', 'Read Trailer Statistics', 10, trailerStatsHistory),
  get('/fleet/trailers/:id', 'Read Trailers', null, getTrailer),
  get('/trips/stream', 'Read Trips', 5, tripsStream),
  get('/v1/fleet/trips', 'Read Vehicle Trips', null, oldTrips),
  get('/fleet/hos/logs', 'Read ELD Compliance Settings (US)', 5, hosLogs),
  get('/fleet/hos/daily-logs', 'Read ELD Compliance Settings (US)', 5, hosDailyLogs),
  get('/fleet/hos/clocks', 'Read ELD Compliance Settings (US)', null, hosClocks),
  get('/safety-events', 'Read Safety Events & Scores', 5, safetyEventsById),
  get('/safety-events/stream', 'Read Safety Events & Scores', 5, safetyEventsStream),
  get('/speeding-intervals/stream', 'Read Safety Events & Scores', 5, speedingIntervalsStream),
  get('/cameras/media', 'Read Media Retrieval', 5, camerasMedia),
  get('/v1/fleet/maintenance/list', 'Read Vehicle Statistics', null, maintenanceList),
  get('/fleet/reports/vehicles/fuel-energy', 'Read Fuel & Energy', 5, fuelEnergyReport),
  get('/idling/events', 'Read Fuel & Energy', 5, idlingEvents),
  get('/fleet/reports/ifta/vehicle', 'Read IFTA (US)', 25, iftaByVehicle),
]

/** Returns all endpoints. A path without an id comes before one with an id that also matches. */
export const endpointsWith = (webhooks: Subscriptions): readonly Endpoint[] => [
  ...reads,
  get('/webhooks', 'Read Webhooks', null, webhooks.list),
  get('/webhooks/:id', 'Read Webhooks', null, webhooks.get),
  { ...get('/webhooks', 'Write Webhooks', null, webhooks.create), method: 'POST' },
  { ...get('/webhooks/:id', 'Write Webhooks', null, webhooks.change), method: 'PATCH' },
  { ...get('/webhooks/:id', 'Write Webhooks', null, webhooks.remove), method: 'DELETE' },
]
