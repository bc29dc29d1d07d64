import type { OperationFunctions } from './operations.ts'

/** What takes the secret key alone. */
export const keyResources = ({ one, list }: OperationFunctions) => ({
  connections: { list: list('listConnections'), create: one('createConnection') },
  providers: { list: one('listProviders') },
  issues: { list: list('listIssues'), resolve: one('resolveIssue') },
  /** Of every connection. */
  events: { list: list('listEvents') },
  /** Short addresses of the link pages. */
  links: { create: one('createShortLink'), delete: one('deleteShortLink') },
  webhookEndpoints: {
    list: list('listWebhookEndpoints'),
    create: one('createWebhookEndpoint'),
    get: one('getWebhookEndpoint'),
    update: one('updateWebhookEndpoint'),
    delete: one('deleteWebhookEndpoint'),
    rotateSecret: one('rotateWebhookSecret'),
    test: one('testWebhookEndpoint'),
    enable: one('enableWebhookEndpoint'),
    disable: one('disableWebhookEndpoint'),
    recover: one('recoverWebhookEndpoint'),
    deliveries: list('listWebhookDeliveries'),
    replay: one('replayWebhookDelivery'),
  },
})

/** What takes the token of a connection as well. */
export const connectionResources = ({ one, list, raw }: OperationFunctions) => ({
  /** The connection itself. */
  get: one('getCurrentConnection'),
  update: one('updateCurrentConnection'),
  delete: one('deleteCurrentConnection'),
  vehicles: {
    list: list('listVehicles'),
    get: one('getVehicle'),
    /** Where they are at this moment, as the provider tells. */
    latestLocations: list('listLatestVehicleLocations'),
    locations: list('listHistoricalVehicleLocations'),
    stats: list('listHistoricalVehicleStats'),
    utilization: list('getVehicleUtilization'),
  },
  drivers: { list: list('listDrivers'), get: one('getDriver') },
  trailers: { list: list('listTrailers'), latestLocations: list('listLatestTrailerLocations') },
  groups: { list: list('listGroups') },
  devices: { list: list('listDevices') },
  trips: { list: list('listTrips') },
  hos: {
    logs: list('listHOSLogs'),
    dailyLogs: list('listHOSDailyLogs'),
    availableTime: list('listHOSAvailableTime'),
  },
  safety: {
    events: list('listSafetyEvents'),
    event: one('getSafetyEvent'),
    cameraMedia: one('getEventCameraMedia'),
  },
  faultCodes: { events: list('listFaultCodeEvents') },
  ifta: { summary: list('getIFTASummary') },
  syncs: {
    list: list('listSyncHistory'),
    get: one('getSyncJobStatus'),
    request: one('requestSync'),
    retry: one('retrySync'),
    cancel: one('cancelSync'),
  },
  /** Of this connection. */
  events: { list: list('listEvents') },
  passthrough: { send: one('passthrough'), raw: raw('passthroughRaw') },
})
