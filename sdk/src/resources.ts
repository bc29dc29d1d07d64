import type { OperationFunctions } from './operations.ts'

/** Operations that need only the secret key. */
export const keyResources = ({ one, list }: OperationFunctions) => ({
  connections: { list: list('listConnections'), create: one('createConnection') },
  providers: { list: one('listProviders') },
  issues: { list: list('listIssues'), resolve: one('resolveIssue') },
  /** Events of all connections. */
  events: { list: list('listEvents') },
  /** Short links to the link pages. */
  links: { create: one('createShortLink'), delete: one('deleteShortLink') },
  /** Checks of fuel purchases. */
  purchaseChecks: {
    create: one('createPurchaseCheck'),
    capture: one('createPurchaseCapture'),
    list: list('listPurchaseChecks'),
    get: one('getPurchaseCheck'),
  },
  /** Your own facts about vehicles. */
  vehicleFacts: { get: one('getVehicleFacts'), set: one('setVehicleFacts') },
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

/** Operations that also need a connection token. */
export const connectionResources = ({ one, list, raw }: OperationFunctions) => ({
  get: one('getCurrentConnection'),
  update: one('updateCurrentConnection'),
  delete: one('deleteCurrentConnection'),
  vehicles: {
    list: list('listVehicles'),
    get: one('getVehicle'),
    /** Current locations, which the service requests from the provider. */
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
  /** Events of this connection. */
  events: { list: list('listEvents') },
  passthrough: { send: one('passthrough'), raw: raw('passthroughRaw') },
})
