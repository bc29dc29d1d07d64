import { type KeyScope, scopeOfNode } from '../../auth/key-scopes.ts'
import { SessionScope } from '../../auth/session-scopes.ts'
import { models } from '../../domain/models/models.ts'
import { nodeKinds, typeNamesOf } from '../../domain/record-models.ts'

/**
 * Scopes that a root field requires. Without a key scope, every key may use the field. Without a session
 * scope, no session may; with `any`, every session may.
 */
export interface RootScopes {
  readonly key: KeyScope | null
  readonly session: SessionScope | 'any' | null
}

const { READ_CONNECTIONS, READ_EVENTS } = SessionScope

/**
 * Key scope and session scope of every root field: queries, mutations and subscriptions. A session or a key
 * with scopes cannot use a root field that has no row here.
 */
const roots: readonly (readonly [RootScopes['key'], RootScopes['session'], string])[] = [
  [null, 'any', 'viewer'],
  // The fields below `node` and `nodes` require the scope of their type.
  [null, READ_CONNECTIONS, 'node nodes provider providers'],
  ['connections:read', READ_CONNECTIONS, 'connection connections'],
  ['syncs:read', READ_CONNECTIONS, 'sync syncs syncProgress'],
  ['issues:read', READ_CONNECTIONS, 'issue issues'],
  ...models.flatMap(({ scope, sessionScope, queryFields }) =>
    queryFields ? [[scope, SessionScope[sessionScope], queryFields.join(' ')] as const] : [],
  ),
  ['events:read', READ_EVENTS, 'event events'],
  ['webhooks:read', null, 'webhookEndpoint webhookEndpoints webhookDelivery'],
  ['vehicles:write', null, 'setVehicleFacts'],
  [
    'purchases:read',
    null,
    'purchaseCheck purchaseChecks purchaseSummary purchaseCards purchaseSites purchasePolicies effectivePurchasePolicy purchaseReplay purchaseReplays iftaReport',
  ],
  [
    'purchases:write',
    null,
    'assignCard unassignCard setPurchaseSite removePurchaseSite checkPurchase captureForCheck setPurchasePolicy replayPurchases',
  ],
  [
    'connections:write',
    null,
    'exchangePublicToken createConnection updateConnection archiveConnection reconnectConnection disconnectConnection deleteConnection cancelConnectionDeletion setProviderWebhook removeProviderWebhook confirmRemovals denyRemovals liftRemovalDecisions',
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
  [
    'admin',
    null,
    'application keys auditLog request requests updateApplication createKey rotateKey revokeKey',
  ],
]

/**
 * Key scope for reading the fields of a type, wherever the type occurs. Pages and edges of a type require the
 * same scope. `id` requires none, because other records reference an entity by it. A type without a row
 * requires no scope of its own.
 */
const types: readonly (readonly [KeyScope, string])[] = [
  ...nodeKinds.map((kind) => [scopeOfNode[kind], typeNamesOf(kind).join(' ')] as const),
  ...models.flatMap(({ scope, types: names }) => (names ? [[scope, names.join(' ')] as const] : [])),
  ['events:read', 'Event'],
  ['webhooks:read', 'WebhookEndpoint WebhookDelivery WebhookAttempt'],
  [
    'purchases:read',
    'PurchaseCard PurchaseSite PurchasePolicy EffectivePurchasePolicy PurchaseReplay PurchaseSummary PurchaseSummaryGroup',
  ],
  // Its root field requires purchases:read, so a key needs both.
  ['ifta:read', 'IftaReport'],
  ['sessions:write', 'Session'],
  ['links:write', 'ShortLink'],
  ['admin', 'Application ApiKey AuditEntry Actor LoggedRequest'],
]

/**
 * Fields whose type does not require its own scope in this place. The scope of the enclosing type covers the whole
 * value.
 */
const includedTypeByField = new Map([['Connection.lastSync', 'Sync']])

const scopesByRoot = new Map(
  roots.flatMap(([key, session, fields]) =>
    fields.split(' ').map((field) => [field, { key, session }] as const),
  ),
)

const scopesByType = new Map(
  types.flatMap(([scope, names]) =>
    names
      .split(' ')
      .flatMap((name) => [name, `${name}Page`, `${name}Edge`])
      .map((name) => [name, scope] as const),
  ),
)

/** Returns the scopes of a root field; null if it has no row. */
export const scopesOfRoot = (field: string): RootScopes | null => scopesByRoot.get(field) ?? null

/** Returns the scope of a type; null if the type requires none of its own. */
export const scopeOfType = (typeName: string): KeyScope | null => scopesByType.get(typeName) ?? null

export const includedTypeOf = (typeName: string, field: string): string | null =>
  includedTypeByField.get(`${typeName}.${field}`) ?? null

/** Root fields that have a row in `roots`. */
export const rootsWithScopes: readonly string[] = [...scopesByRoot.keys()]

/** Types that have a row in `types`. */
export const typesWithScopes: readonly string[] = types.flatMap(([, names]) => names.split(' '))
