import { idPrefixes, type Kind } from '../../../src/domain/ids.ts'

/** A request that names objects of another tenant. */
export interface Attempt {
  readonly text: string
  /** Variables that name objects of the other connection. */
  readonly variables: (theirs: ForeignReferences) => Record<string, unknown>
}

/** Known ids and cursors of a connection: record ids by kind, and a cursor of each list of the owner. */
export interface ForeignReferences {
  readonly ids: Readonly<Record<Kind, string>>
  readonly cursorOf: (list: string) => string
}

/** Required arguments of lists. */
export const requiredArguments: Readonly<Record<string, string>> = {
  iftaSummary: 'startMonth: "2025-01", endMonth: "2026-12", ',
  purchaseSummary: 'by: DAY, ',
  iftaReport: 'quarter: "2026-Q1", ',
  vehiclesNear:
    'location: { longitude: -97.7, latitude: 30.3 }, radius: 5000, startAt: "2026-01-30T00:00:00Z", endAt: "2026-01-31T00:00:00Z", ',
}

const byId = (field: string, kind: Kind, selection = 'id', argument = 'id'): Attempt => ({
  text: `query ($id: ID!) { ${field}(${argument}: $id) { __typename ${selection} } }`,
  variables: ({ ids }) => ({ id: ids[kind] }),
})

const requested = (list: string, args: string, record: string) =>
  `${list}(${requiredArguments[list] ?? ''}${args}) { nodes { ${record} } pageInfo { hasNextPage endCursor } totalCount }`

const byCursor = (list: string, record = 'id'): Attempt[] =>
  ['after', 'before'].map((side) => ({
    text: `query ($cursor: String) { ${requested(list, `${side}: $cursor`, record)} }`,
    variables: ({ cursorOf }) => ({ cursor: cursorOf(list) }),
  }))

const byFilter = (list: string, filter: string, kind: Kind, record = 'id'): Attempt => ({
  text: `query ($ids: [ID!]) { ${requested(list, `${filter}: $ids`, record)} }`,
  variables: ({ ids }) => ({ ids: [ids[kind]] }),
})

const place = 'speed locatedAt'
const day = 'distance startAt endAt vehicle { id } raw { data }'

/** Ways to name an object of another tenant in any root list of records. */
const ofAnyRecords = (list: string, record = 'id'): Attempt[] => [
  ...byCursor(list, record),
  byFilter(list, 'connectionIds', 'connection', record),
]

const ofMembers = (list: string): Attempt[] => [...ofAnyRecords(list), byFilter(list, 'groupIds', 'group')]

const ofRecords = (list: string): Attempt[] => [
  ...ofAnyRecords(list),
  byFilter(list, 'vehicleIds', 'vehicle'),
  byFilter(list, 'driverIds', 'driver'),
]

export const kinds = Object.keys(idPrefixes) as Kind[]

/**
 * For each root field, every way to name an object of another tenant. A field without such arguments has
 * none.
 */
export const attempts: Readonly<Record<string, readonly Attempt[]>> = {
  connection: [
    byId(
      'connection',
      'connection',
      'id token status lastSuccessfulSyncAt disconnectedAt deletionScheduledAt heldRemovals { model issue { id } } syncs { nodes { id } } issues { nodes { id } }',
    ),
    byId('connection', 'vehicle'),
  ],
  connections: byCursor('connections'),
  sync: [byId('sync', 'sync', 'id status connection { id token } issues { id }')],
  syncs: byCursor('syncs'),
  sessions: byCursor('sessions', 'id connectionIds'),
  shortLinks: byCursor('shortLinks', 'id code settings'),
  application: [],
  keys: byCursor('keys', 'id name hint'),
  auditLog: [
    ...byCursor('auditLog', 'id action targetId detail actor { id }'),
    ...['targetId', 'actorId'].flatMap((filter) =>
      (['connection', 'webhookEndpoint', 'key'] as const).map((kind) => ({
        text: `query ($id: ID) { ${requested('auditLog', `${filter}: $id`, 'id action targetId detail')} }`,
        variables: ({ ids }: ForeignReferences) => ({ id: ids[kind] }),
      })),
    ),
  ],
  request: [byId('request', 'loggedRequest', 'id requestId connectionId keyId', 'requestId')],
  requests: [
    ...byCursor('requests', 'id requestId connectionId keyId'),
    ...(['loggedRequest', 'connection'] as const).map((kind) => {
      const filter = kind === 'connection' ? 'connectionId' : 'requestId'
      return {
        text: `query ($id: ID) { ${requested('requests', `${filter}: $id`, 'id requestId connectionId keyId')} }`,
        variables: ({ ids }: ForeignReferences) => ({ id: ids[kind] }),
      }
    }),
  ],
  issue: [byId('issue', 'issue', 'status error { code message } connection { id }')],
  issues: [
    ...byCursor('issues'),
    {
      text: 'query ($id: ID) { issues(connectionId: $id) { totalCount nodes { id error { message } } } }',
      variables: ({ ids }) => ({ id: ids.connection }),
    },
  ],
  purchaseCheck: [
    byId(
      'purchaseCheck',
      'purchaseCheck',
      'id decision vehicle { id } connection { id } evidence { distanceMeters }',
    ),
  ],
  purchaseCards: [
    ...byCursor('purchaseCards', 'cardId vehicle { id }'),
    byFilter('purchaseCards', 'vehicleIds', 'vehicle'),
  ],
  purchaseSites: byCursor('purchaseSites', 'id siteId name'),
  purchasePolicies: byCursor('purchasePolicies', 'id version vehicle { id }'),
  purchaseReplay: [byId('purchaseReplay', 'purchaseReplay', 'id total summary { checks }')],
  purchaseReplays: byCursor('purchaseReplays', 'id total summary { checks }'),
  effectivePurchasePolicy: [
    {
      text: 'query ($id: ID) { effectivePurchasePolicy(vehicleId: $id) { version stage rules { rule } } }',
      variables: ({ ids }) => ({ id: ids.vehicle }),
    },
  ],
  purchaseChecks: [
    ...ofAnyRecords('purchaseChecks', 'id idempotencyKey vehicle { id }'),
    byFilter('purchaseChecks', 'vehicleIds', 'vehicle'),
    {
      text: `query ($id: String) { ${requested('purchaseChecks', 'cardId: $id', 'id')} }`,
      variables: ({ ids }) => ({ id: ids.vehicle }),
    },
  ],
  purchaseSummary: (['connection', 'vehicle'] as const).flatMap((kind) =>
    ['VEHICLE', 'DRIVER', 'MERCHANT'].map((by) => ({
      text: `query ($ids: [ID!]) {
        purchaseSummary(
          ${kind}Ids: $ids, by: ${by}, purchasedAfter: "2026-01-30T00:00:00Z", purchasedBefore: "2026-03-01T00:00:00Z"
        ) { totalGroups groups { checks vehicle { id } driver { id } merchantName spend { value } } }
      }`,
      variables: ({ ids }: ForeignReferences) => ({ ids: [ids[kind]] }),
    })),
  ),
  iftaReport: (['connection', 'vehicle', 'group'] as const).map((kind) => ({
    text: `query ($ids: [ID!]) {
      iftaReport(${kind}Ids: $ids, quarter: "2026-Q1") {
        metric { distance bought jurisdictions { jurisdiction distance bought } } gaps { kind count }
      }
    }`,
    variables: ({ ids }: ForeignReferences) => ({ ids: [ids[kind]] }),
  })),
  node: kinds.map((kind) => byId('node', kind)),
  nodes: [
    {
      text: 'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Vehicle { name connection { token } } ... on Trip { distance connection { token } } ... on Connection { token } ... on FaultCodeEvent { code } ... on HosLog { remarks { notes } } } }',
      variables: ({ ids }) => ({ ids: Object.values(ids) }),
    },
  ],
  providers: [],
  provider: [
    {
      text: 'query ($id: String!) { provider(code: $id) { name } }',
      variables: ({ ids }) => ({ id: ids.connection }),
    },
  ],
  viewer: [],
  event: [byId('event', 'event', 'type kind detail subject { id } connection { id }')],
  events: [
    byFilter('events', 'connectionIds', 'connection', 'id type detail subject { id } connection { id }'),
    ...['after', 'before'].map((argument) => ({
      text: `query ($id: ID) { events(${argument}: $id) { nodes { id detail } } }`,
      variables: ({ ids }: ForeignReferences) => ({ id: ids.event }),
    })),
  ],
  webhookEndpoints: byCursor('webhookEndpoints', 'id url deliveries { nodes { id } }'),
  webhookEndpoint: [
    byId('webhookEndpoint', 'webhookEndpoint', 'id url backlog secrets { id } deliveries { nodes { id } }'),
  ],
  webhookDelivery: [
    byId('webhookDelivery', 'webhookDelivery', 'id status event { id } attempts { request { body } }'),
  ],
  vehicles: ofMembers('vehicles'),
  vehicle: [
    byId(
      'vehicle',
      'vehicle',
      'name metadata { visibility } raw { data } trips { nodes { id } } latestLocation { speed raw { data } } stats { totalCount } locations { totalCount nodes { raw { data } } } faultCodeEvents { totalCount }',
    ),
  ],
  drivers: ofMembers('drivers'),
  driver: [
    byId(
      'driver',
      'driver',
      'firstName trips { nodes { id } } hosLogs { totalCount } hosDailyLogs { totalCount } hosAvailableTime { currentStatus }',
    ),
  ],
  trailers: ofMembers('trailers'),
  trailer: [byId('trailer', 'trailer', 'name raw { data } latestLocation { speed raw { data } }')],
  groups: ofAnyRecords('groups'),
  group: [
    byId(
      'group',
      'group',
      'name parent { name } raw { data } children { totalCount } vehicles { totalCount } drivers { totalCount } trailers { totalCount }',
    ),
  ],
  devices: ofAnyRecords('devices'),
  device: [byId('device', 'device', 'serialNumber vehicle { name } raw { data }')],
  trips: ofRecords('trips'),
  trip: [
    byId(
      'trip',
      'trip',
      'distance vehicle { id } path { totalCount nodes { speed } } safetyEvents { totalCount }',
    ),
  ],
  safetyEvents: ofRecords('safetyEvents'),
  safetyEvent: [byId('safetyEvent', 'safetyEvent', 'type vehicle { id } extensions')],
  cameraMedia: [
    byId('cameraMedia', 'safetyEvent', 'frontFacing { videoUrl } raw { data }', 'safetyEventId'),
    byId('cameraMedia', 'vehicle', 'frontFacing { videoUrl }', 'safetyEventId'),
  ],
  hosLogs: [...ofAnyRecords('hosLogs'), byFilter('hosLogs', 'driverIds', 'driver')],
  hosLog: [byId('hosLog', 'hosLog', 'status remarks { notes } driver { id } codrivers { id }')],
  hosDailyLogs: [...ofAnyRecords('hosDailyLogs'), byFilter('hosDailyLogs', 'driverIds', 'driver')],
  hosDailyLog: [byId('hosDailyLog', 'hosDailyLog', 'date driver { id }')],
  hosAvailableTimes: [
    ...ofAnyRecords('hosAvailableTimes', 'currentStatus driver { id }'),
    byFilter('hosAvailableTimes', 'driverIds', 'driver', 'currentStatus raw { data }'),
  ],
  faultCodeEvents: [...ofAnyRecords('faultCodeEvents'), byFilter('faultCodeEvents', 'vehicleIds', 'vehicle')],
  faultCodeEvent: [byId('faultCodeEvent', 'faultCodeEvent', 'id code vehicle { id }')],
  vehicleUtilization: [
    ...ofAnyRecords('vehicleUtilization', day),
    byFilter('vehicleUtilization', 'vehicleIds', 'vehicle', day),
  ],
  iftaSummary: ofAnyRecords('iftaSummary', 'jurisdiction distance vehicle { id } raw { data }'),
  vehicleLocations: [
    ...ofAnyRecords('vehicleLocations', place),
    byFilter('vehicleLocations', 'vehicleIds', 'vehicle', place),
    byFilter('vehicleLocations', 'driverIds', 'driver', place),
  ],
  trailerLocations: ofAnyRecords('trailerLocations', place),
  vehiclesNear: (['connection', 'vehicle'] as const).map((kind) => ({
    text: `query ($ids: [ID!]) {
      vehiclesNear(${requiredArguments['vehiclesNear']}${kind}Ids: $ids) {
        vehicleCount nodes { nearestAt vehicle { id } connection { id } }
      }
    }`,
    variables: ({ ids }) => ({ ids: [ids[kind]] }),
  })),
}

/** Every list, with the widest arguments. */
export const WHOLE_LISTS = [
  '{ connections { totalCount nodes { id vehicles(hidden: true) { nodes { id } } drivers(hidden: true) { nodes { id } } trailers { nodes { id } } groups { nodes { id } } devices { nodes { id } } heldRemovals { model issue { id } } lastSync { id issues { id } } syncs { nodes { id issues { id } } } issues { nodes { id } } agreements { id } } } }',
  '{ vehicles(deleted: true, hidden: true) { nodes { id groups { id } devices { id } raw { data } trips { nodes { id path { nodes { id vehicle { id } raw { data } } } } } safetyEvents { nodes { id } } faultCodeEvents { nodes { id } } latestLocation { vehicle { id } driver { id } raw { data } } locations { nodes { id raw { data } } } stats { nodes { id vehicle { id } raw { data } } } } } }',
  '{ drivers(deleted: true, hidden: true) { nodes { id groups { id } trips { nodes { id } } safetyEvents { nodes { id } } hosLogs { nodes { id codrivers { id } } } hosDailyLogs { nodes { id } } hosAvailableTime { driver { id } raw { data } } } } groups(deleted: true) { nodes { id parent { id } children(deleted: true) { nodes { id } } vehicles(deleted: true, hidden: true) { nodes { id } } drivers(deleted: true, hidden: true) { nodes { id } } trailers(deleted: true) { nodes { id } } } } devices(deleted: true) { nodes { id vehicle { id } } } }',
  '{ trailers(deleted: true) { nodes { id groups { id } raw { data } latestLocation { trailer { id } } } } trailerLocations { nodes { trailer { id } } } issues { nodes { id connection { id } } } hosAvailableTimes { nodes { driver { id } } } }',
  '{ trips { nodes { id vehicle { id } driver { id } safetyEvents(deleted: true) { nodes { id } } } } safetyEvents { nodes { id vehicle { id } driver { id } } } vehicleLocations { nodes { vehicle { id } driver { id } } } }',
  '{ hosLogs { nodes { id driver { id } vehicle { id } codrivers { id } raw { data } } } hosDailyLogs { nodes { id driver { id } } } faultCodeEvents { nodes { id vehicle { id } raw { data } } } }',
  '{ vehicleUtilization { nodes { vehicle { id } raw { data } } } iftaSummary(startMonth: "2025-01", endMonth: "2026-12", groupBy: [VEHICLE, JURISDICTION, MONTH]) { nodes { vehicle { id } raw { data } } } }',
  '{ syncs { nodes { id connection { id token } issues { id } } } events(types: ["vehicle.added", "driver.added", "connection.created", "sync.started", "sync.failed", "issue.reported"]) { nodes { id subject { id } connection { id } } } }',
]
