import type { Route } from './route.ts'
import {
  createConnection,
  deleteCurrentConnection,
  getCurrentConnection,
  listConnections,
  publicTokenExchange,
  updateCurrentConnection,
} from './routes/connections.ts'
import { listDevices } from './routes/devices.ts'
import { getDriver, listDrivers } from './routes/drivers.ts'
import { listEvents } from './routes/events.ts'
import { listFaultCodeEvents } from './routes/fault-codes.ts'
import { listGroups } from './routes/groups.ts'
import { listHosAvailableTime, listHosDailyLogs, listHosLogs } from './routes/hos.ts'
import { getIftaSummary } from './routes/ifta.ts'
import { listIssues, resolveIssue } from './routes/issues.ts'
import { passthrough, passthroughRaw } from './routes/passthrough.ts'
import { createShortLink, deleteShortLink } from './routes/short-links.ts'
import { listProviders } from './routes/providers.ts'
import { getEventCameraMedia, getSafetyEvent, listSafetyEvents } from './routes/safety.ts'
import { cancelSync, getSyncJobStatus, listSyncHistory, requestSync, retrySync } from './routes/syncs.ts'
import { listLatestTrailerLocations, listTrailers } from './routes/trailers.ts'
import {
  createPurchaseCapture,
  createPurchaseCheck,
  getPurchaseCheck,
  listPurchaseChecks,
} from './routes/purchase-checks.ts'
import { listTrips } from './routes/trips.ts'
import { getVehicleFacts, setVehicleFacts } from './routes/vehicle-facts.ts'
import {
  getVehicle,
  getVehicleUtilization,
  listHistoricalVehicleLocations,
  listHistoricalVehicleStats,
  listLatestVehicleLocations,
  listVehicles,
} from './routes/vehicles.ts'
import { listWebhookDeliveries, replayWebhookDelivery } from './routes/webhook-deliveries.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  recoverWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from './routes/webhook-endpoints.ts'

/**
 * Every route under /tsp/v1: first those that most clients use, then the others and the extensions. The last column
 * shows the headers that a route requires; `both` means Authorization and Connection-Token.
 */
export const routes: readonly Route[] = [
  publicTokenExchange, //            POST   /public-token/exchange            Authorization
  listConnections, //                GET    /connections                      Authorization
  getCurrentConnection, //           GET    /connections/current              both
  updateCurrentConnection, //        PATCH  /connections/current              both
  listProviders, //                  GET    /providers                        none; optional Authorization
  getVehicle, //                     GET    /vehicles/{id}                    both
  listLatestVehicleLocations, //     GET    /vehicles/locations               both
  listDrivers, //                    GET    /drivers                          both
  listTrips, //                      GET    /trips                            both
  listHosLogs, //                    GET    /hos/logs                         both
  listSafetyEvents, //               GET    /safety/events                    both
  listFaultCodeEvents, //            GET    /fault-codes/events               both
  getIftaSummary, //                 GET    /ifta/summary                     both

  listVehicles, //                   GET    /vehicles                         both
  listTrailers, //                   GET    /trailers                         both
  listGroups, //                     GET    /groups                           both
  listDevices, //                    GET    /devices                          both
  listHosDailyLogs, //               GET    /hos/daily-logs                   both
  listHistoricalVehicleLocations, // GET    /vehicles/{id}/locations          both
  listHistoricalVehicleStats, //     GET    /vehicles/{id}/stats/historical   both
  getSyncJobStatus, //               GET    /syncs/{id}                       both

  createConnection, //               POST   /connections                      Authorization; an extension
  deleteCurrentConnection, //        DELETE /connections/current              both
  getDriver, //                      GET    /drivers/{id}                     both
  listHosAvailableTime, //           GET    /hos/available-time               both
  getSafetyEvent, //                 GET    /safety/events/{id}               both
  getEventCameraMedia, //            GET    /safety/events/{id}/camera-media  both
  listLatestTrailerLocations, //     GET    /trailers/locations               both
  getVehicleUtilization, //          GET    /vehicles/utilization             both
  requestSync, //                    POST   /syncs                            both
  listSyncHistory, //                GET    /syncs                            both
  retrySync, //                      POST   /syncs/{id}/retry                 both
  cancelSync, //                     POST   /syncs/{id}/cancel                both
  listIssues, //                     GET    /issues                           Authorization
  resolveIssue, //                   POST   /issues/{id}/resolve              Authorization
  listEvents, //                     GET    /events                           Authorization or both; an extension
  createShortLink, //                POST   /link/short                       Authorization
  deleteShortLink, //                DELETE /link/short/{id}                  Authorization
  listWebhookEndpoints, //           GET    /webhook-endpoints                Authorization; extensions from here on
  createWebhookEndpoint, //          POST   /webhook-endpoints                Authorization
  getWebhookEndpoint, //             GET    /webhook-endpoints/{id}           Authorization
  updateWebhookEndpoint, //          PATCH  /webhook-endpoints/{id}           Authorization
  deleteWebhookEndpoint, //          DELETE /webhook-endpoints/{id}           Authorization
  rotateWebhookSecret, //            POST   …/{id}/rotate-secret              Authorization
  testWebhookEndpoint, //            POST   …/{id}/test                       Authorization
  enableWebhookEndpoint, //          POST   …/{id}/enable                     Authorization
  disableWebhookEndpoint, //         POST   …/{id}/disable                    Authorization
  recoverWebhookEndpoint, //         POST   …/{id}/recover                    Authorization
  listWebhookDeliveries, //          GET    …/{id}/deliveries                 Authorization
  replayWebhookDelivery, //          POST   …/{id}/deliveries/{id}/replay     Authorization
  createPurchaseCheck, //            POST   /purchase-checks                  Authorization or both
  createPurchaseCapture, //          POST   /purchase-captures                Authorization or both
  listPurchaseChecks, //             GET    /purchase-checks                  Authorization or both
  getPurchaseCheck, //               GET    /purchase-checks/{id}             Authorization or both
  getVehicleFacts, //                GET    /vehicles/{id}/facts              Authorization or both
  setVehicleFacts, //                PUT    /vehicles/{id}/facts              Authorization or both

  passthrough, //                    POST   /passthrough                      both
  passthroughRaw, //                 POST   /passthrough/raw                  both
]
