import type { KeyScope } from '../../auth/key-scopes.ts'
import { scopeOfNode } from '../../auth/key-scopes.ts'
import { SessionScope } from '../../auth/session-scopes.ts'
import { nodes } from '../../domain/record-models.ts'

/** What a root field takes: of a key, null where any will do; of a session, null where none will. */
export interface RootScopes {
  readonly key: KeyScope | null
  readonly session: SessionScope | null
}

const { READ_CONNECTIONS, READ_FLEET, READ_RECORDS, READ_TELEMETRY, READ_EVENTS } = SessionScope

/**
 * Every root field of the API, queries, mutations and subscriptions alike, by the scopes that it takes of a key and of
 * a session. What is not here, no session may ask, and no key that has scopes.
 */
const roots: readonly (readonly [KeyScope | null, SessionScope | null, string])[] = [
  // `node` looks at the kind of each id by itself.
  [null, READ_CONNECTIONS, 'node nodes provider providers'],
  ['connections:read', READ_CONNECTIONS, 'connection connections'],
  ['syncs:read', READ_CONNECTIONS, 'sync syncs syncProgress'],
  ['issues:read', READ_CONNECTIONS, 'issue issues'],
  ['vehicles:read', READ_FLEET, 'vehicle vehicles'],
  ['drivers:read', READ_FLEET, 'driver drivers'],
  ['trailers:read', READ_FLEET, 'trailer trailers'],
  ['groups:read', READ_FLEET, 'group groups'],
  ['devices:read', READ_FLEET, 'device devices'],
  ['trips:read', READ_RECORDS, 'trip trips'],
  ['hos:read', READ_RECORDS, 'hosLog hosLogs hosDailyLog hosDailyLogs hosAvailableTimes'],
  ['safety:read', READ_RECORDS, 'safetyEvent safetyEvents cameraMedia'],
  ['fault_codes:read', READ_RECORDS, 'faultCodeEvent faultCodeEvents'],
  ['utilization:read', READ_RECORDS, 'vehicleUtilization'],
  ['ifta:read', READ_RECORDS, 'iftaSummary'],
  ['locations:read', READ_TELEMETRY, 'vehicleLocations trailerLocations'],
  ['events:read', READ_EVENTS, 'events'],
  ['webhooks:read', null, 'webhookEndpoint webhookEndpoints webhookDelivery'],
  [
    'connections:write',
    null,
    'exchangePublicToken createConnection updateConnection archiveConnection deleteConnection setProviderWebhook removeProviderWebhook',
  ],
  ['syncs:write', null, 'requestSync retrySync cancelSync'],
  ['issues:write', null, 'resolveIssue'],
  [
    'webhooks:write',
    null,
    'createWebhookEndpoint updateWebhookEndpoint deleteWebhookEndpoint enableWebhookEndpoint disableWebhookEndpoint rotateWebhookSecret sendTestEvent replayDelivery replayEvent recoverWebhookEndpoint',
  ],
  ['sessions:write', null, 'sessions createSession revokeSession'],
  ['links:write', null, 'shortLinks createShortLink deleteShortLink'],
  ['passthrough:write', null, 'passthrough'],
  ['admin', null, 'application keys auditLog updateApplication createKey rotateKey revokeKey'],
]

/**
 * The scope that reading the fields of a type takes, wherever it is met; `id` is free, by which others mention it. The
 * pages of a type take the same. Types that are not here come with what leads to them.
 */
const types: readonly (readonly [KeyScope, string])[] = [
  ...Object.entries(nodes).map(
    ([kind, { typeName }]) =>
      [scopeOfNode[kind as keyof typeof nodes], [typeName].flatMap(namesIn).join(' ')] as const,
  ),
  ['fault_codes:read', 'FaultCodeEvent'],
  ['hos:read', 'HosAvailableTime'],
  ['safety:read', 'CameraMedia'],
  ['utilization:read', 'VehicleUtilization'],
  ['ifta:read', 'IftaSummary'],
  ['locations:read', 'VehicleLocation LatestVehicleLocation LatestTrailerLocation'],
  ['stats:read', 'VehicleStatLog'],
  ['events:read', 'Event'],
  ['webhooks:read', 'WebhookEndpoint WebhookDelivery WebhookAttempt'],
  ['sessions:write', 'Session'],
  ['links:write', 'ShortLink'],
  ['admin', 'Application ApiKey AuditEntry Actor'],
]

function namesIn(typeName: string | Readonly<Record<string, string>>): string[] {
  return typeof typeName === 'string' ? [typeName] : Object.values(typeName)
}

/** Fields that bring a type along, which is then read like the rest of what they stand in. */
const includedTypeByField = new Map([['Connection.lastSync', 'Sync']])

const ofRoots = new Map(
  roots.flatMap(([key, session, fields]) =>
    fields.split(' ').map((field) => [field, { key, session }] as const),
  ),
)

const ofTypes = new Map(
  types.flatMap(([scope, names]) =>
    names
      .split(' ')
      .flatMap((name) => [name, `${name}Page`, `${name}Edge`])
      .map((name) => [name, scope] as const),
  ),
)

/** What a root field takes; null where it has no row. */
export const scopesOfRoot = (field: string): RootScopes | null => ofRoots.get(field) ?? null

/** What reading the fields of a type takes; null where they come with what leads to it. */
export const scopeOfType = (typeName: string): KeyScope | null => ofTypes.get(typeName) ?? null

export const includedTypeOf = (typeName: string, field: string): string | null =>
  includedTypeByField.get(`${typeName}.${field}`) ?? null

/** The root fields that have a row. */
export const rootsWithScopes: readonly string[] = [...ofRoots.keys()]

/** The types that have a row of their own. */
export const typesWithScopes: readonly string[] = types.flatMap(([, names]) => names.split(' '))
