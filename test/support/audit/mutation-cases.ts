import {
  PUBLIC_TOKEN_MS,
  issuePublicToken,
} from '../../../src/subgraphs/connections/tokens/issue-public-token.ts'
import type { AuditHarness } from './audit-harness.ts'

export const RECEIVER = 'https://receiver.example.com/hook?secret-of-theirs=1'

/** Selected payload: records with their id, or plain ids. */
export type Payload = Readonly<Record<string, { readonly id: string } | string>>

/** Returns the id in a member of a payload. */
export function idIn(payload: Payload, name: string): string {
  const given = payload[name]
  if (given === undefined) throw new Error(`payload has no ${name}`)
  return typeof given === 'string' ? given : given.id
}

/** Input of a mutation, and what its audit entry must contain. */
interface PreparedMutation {
  readonly input: object
  /** An input of the same mutation that is refused. */
  readonly refused: object
  /** Target id, from the payload or from the seeded rows. */
  readonly target: string | ((payload: Payload) => string)
  readonly detail?: unknown
}

export interface MutationCase {
  readonly action: string
  readonly selection: string
  prepare(harness: AuditHarness): Promise<PreparedMutation>
  /** What an immediate repetition writes: nothing by default, or another entry. */
  readonly again?: 'another'
}

const NO_CONNECTION = 'conn_01ARZ3NDEKTSV4RRFFQ69G5FAV'
const NO_SYNC = 'sync_01ARZ3NDEKTSV4RRFFQ69G5FAV'
const NO_ENDPOINT = 'whe_01ARZ3NDEKTSV4RRFFQ69G5FAV'
const NO_KEY = 'key_01ARZ3NDEKTSV4RRFFQ69G5FAV'
const CONNECTION = 'connection { id }'
const ENDPOINT = 'endpoint { id }'
const DELIVERY = 'delivery { id }'

const onConnection = (action: string, detail: unknown, before?: string): MutationCase => ({
  action,
  selection: CONNECTION,
  async prepare(harness) {
    const { connectionId } = harness
    if (before !== undefined) await harness.done(before, { connectionId }, CONNECTION)
    return { input: { connectionId }, refused: { connectionId: NO_CONNECTION }, target: connectionId, detail }
  },
})

const onEndpoint = (action: string, input: object, detail: unknown, before?: string): MutationCase => ({
  action,
  selection: ENDPOINT,
  async prepare(harness) {
    const endpointId = await harness.endpoint()
    if (before !== undefined) await harness.done(before, { endpointId }, ENDPOINT)
    return {
      input: { endpointId, ...input },
      refused: { endpointId: NO_ENDPOINT, ...input },
      target: endpointId,
      detail,
    }
  },
})

const onSync = (action: string, ...before: readonly string[]): MutationCase => ({
  action,
  selection: 'sync { id }',
  async prepare(harness) {
    const syncId = await harness.harness.requestSync(harness.linked)
    for (const mutation of before) await harness.done(mutation, { syncId }, 'sync { id }')
    return { input: { syncId }, refused: { syncId: NO_SYNC }, target: syncId, detail: {} }
  },
})

const onHeldRemoval = (action: string, before?: string): MutationCase => ({
  action,
  selection: CONNECTION,
  async prepare(harness) {
    const { connectionId } = harness
    await harness.heldRemoval()
    if (before !== undefined) await harness.done(before, { connectionId }, CONNECTION)
    return {
      input: { connectionId, model: 'Vehicle' },
      refused: { connectionId, model: 'Driver' },
      target: connectionId,
      detail: { models: ['Vehicle'] },
    }
  },
})

const onKey = (action: string, selection: string): MutationCase => ({
  action,
  selection,
  async prepare(harness) {
    const keyId = idIn(await harness.done('createKey', { name: 'One of theirs' }, 'key { id }'), 'key')
    return { input: { keyId }, refused: { keyId: NO_KEY }, target: keyId }
  },
})

/** Every mutation of the API, with the audit entry that it writes. */
export const mutationCases: Readonly<Record<string, MutationCase>> = {
  updateApplication: {
    action: 'application.updated',
    selection: 'application { id }',
    prepare: async ({ linked }) => ({
      input: { name: 'A name of theirs' },
      refused: { agreementUrl: 'nowhere' },
      target: linked.applicationId,
      detail: { changed: ['name'] },
    }),
  },
  createKey: {
    action: 'key.created',
    selection: 'key { id }',
    prepare: async () => ({
      input: { scopes: ['VEHICLES_READ'] },
      refused: { scopes: [] },
      target: (payload) => idIn(payload, 'key'),
    }),
    again: 'another',
  },
  rotateKey: { ...onKey('key.rotated', 'key { id }'), again: 'another' },
  revokeKey: onKey('key.revoked', 'key { id }'),
  assignCard: {
    action: 'purchase_card.assigned',
    selection: 'card { id }',
    prepare: async (harness) => {
      const vehicleId = await harness.vehicle()
      return {
        input: { cardId: 'card-1', vehicleId },
        refused: { cardId: 'card-1', vehicleId: 'none' },
        target: vehicleId,
        detail: { cardId: 'card-1', vehicleId, driverId: null, before: null },
      }
    },
    again: 'another',
  },
  unassignCard: {
    action: 'purchase_card.unassigned',
    selection: 'cardId',
    prepare: async (harness) => {
      const vehicleId = await harness.card('card-2')
      return {
        input: { cardId: 'card-2' },
        refused: { cardId: '' },
        target: vehicleId,
        detail: { cardId: 'card-2', before: { vehicleId, driverId: null } },
      }
    },
  },
  setPurchaseSite: {
    action: 'purchase_site.set',
    selection: 'site { id }',
    prepare: async () => ({
      input: { siteId: 'site-1', name: 'A site', coordinates: { longitude: -97.7, latitude: 30.3 } },
      refused: { siteId: 'site-1', name: '', coordinates: { longitude: -97.7, latitude: 30.3 } },
      target: (payload) => idIn(payload, 'site'),
      detail: {
        siteId: 'site-1',
        name: 'A site',
        longitude: -97.7,
        latitude: 30.3,
        radiusMeters: 100,
        postalCode: null,
        city: null,
        state: null,
        country: null,
        before: null,
      },
    }),
  },
  removePurchaseSite: {
    action: 'purchase_site.removed',
    selection: 'siteId',
    prepare: async (harness) => {
      const coordinates = { longitude: -97.7, latitude: 30.3 }
      const input = { siteId: 'site-2', name: 'A site', coordinates }
      const site = idIn(await harness.done('setPurchaseSite', input, 'site { id }'), 'site')
      return { input: { siteId: 'site-2' }, refused: { siteId: '' }, target: site }
    },
  },
  setPurchasePolicy: {
    action: 'purchase_policy.set',
    selection: 'policy { id }',
    prepare: async () => ({
      input: { stage: 'V1', tag: 'a-tag-of-theirs', rules: [{ rule: 'STANDING', action: 'DECLINE' }] },
      refused: { rules: [{ rule: 'STANDING', maxPurchases: 3 }] },
      target: (payload) => idIn(payload, 'policy'),
      detail: { version: 1, stage: 'v1', rules: ['standing'] },
    }),
    again: 'another',
  },
  setVehicleFacts: {
    action: 'vehicle_facts.set',
    selection: 'vehicle { id }',
    async prepare(harness) {
      const vehicleId = await harness.vehicle()
      return {
        input: { vehicleId, fuelTankCapacity: 400, fuelType: 'DIESEL', overrules: true },
        refused: { vehicleId, fuelTankCapacity: 0 },
        target: vehicleId,
        detail: { members: ['fuelTankCapacity', 'fuelType'], overrules: true },
      }
    },
    again: 'another',
  },
  createShortLink: {
    action: 'short_link.created',
    selection: 'shortLink { id }',
    prepare: async () => ({
      input: { name: 'A name of theirs', tags: ['a-tag-of-theirs'] },
      refused: { provider: 'nobody' },
      target: (payload) => idIn(payload, 'shortLink'),
    }),
  },
  deleteShortLink: {
    action: 'short_link.deleted',
    selection: 'shortLinkId',
    async prepare(harness) {
      const made = await harness.done('createShortLink', { name: 'A name of theirs' }, 'shortLink { id }')
      const shortLinkId = idIn(made, 'shortLink')
      return { input: { shortLinkId }, refused: { shortLinkId: NO_KEY }, target: shortLinkId }
    },
  },
  createConnection: {
    action: 'connection.created',
    selection: CONNECTION,
    prepare: async ({ linked }) => ({
      input: { provider: 'sandbox', credentials: { apiKey: `${linked.apiKey}9` } },
      refused: { provider: 'nobody', credentials: { apiKey: linked.apiKey } },
      target: (payload) => idIn(payload, 'connection'),
    }),
    again: 'another',
  },
  updateConnection: {
    action: 'connection.updated',
    selection: CONNECTION,
    prepare: async ({ connectionId }) => ({
      input: { connectionId, tags: ['a-tag-of-theirs'], company: { name: 'A name of theirs' } },
      refused: { connectionId, tags: ['x'.repeat(1000)] },
      target: connectionId,
      detail: { changed: ['tags', 'company'] },
    }),
  },
  archiveConnection: onConnection('connection.archived', { from: 'connected', to: 'archived' }),
  disconnectConnection: onConnection('connection.disconnected', { from: 'connected', to: 'disconnected' }),
  reconnectConnection: onConnection(
    'connection.reconnected',
    { from: 'disconnected', to: 'connected' },
    'disconnectConnection',
  ),
  cancelConnectionDeletion: onConnection(
    'connection.deletion_called_off',
    { from: 'pending_deletion', to: 'connected' },
    'deleteConnection',
  ),
  deleteConnection: onConnection('connection.deletion_requested', { from: 'connected' }),
  exchangePublicToken: {
    action: 'public_token.exchanged',
    selection: CONNECTION,
    async prepare({ harness, linked, connectionId }) {
      const owner = { id: connectionId, applicationId: linked.applicationId }
      const now = harness.tools.clock.now()
      const expired = await issuePublicToken(harness.db, owner, now - PUBLIC_TOKEN_MS)
      const publicToken = await issuePublicToken(harness.db, owner, now)
      return { input: { publicToken }, refused: { publicToken: expired }, target: connectionId, detail: {} }
    },
  },
  resolveIssue: {
    action: 'issue.resolved',
    selection: 'issue { id }',
    async prepare(harness) {
      const issueId = await harness.issue()
      return { input: { issueId }, refused: { issueId: NO_SYNC }, target: issueId, detail: {} }
    },
  },
  passthrough: {
    action: 'passthrough.sent',
    selection: 'response { __typename }',
    prepare: async ({ connectionId }) => ({
      input: { connectionId, method: 'POST', path: '/echo?of=theirs', body: 'theirs' },
      refused: { connectionId, method: 'POST', path: 'echo', body: 'theirs' },
      target: connectionId,
      detail: { method: 'POST', path: '/echo' },
    }),
    again: 'another',
  },
  setProviderWebhook: {
    action: 'provider_webhook.set',
    selection: 'url',
    prepare: async ({ connectionId }) => ({
      input: { connectionId, secret: 'a-secret-of-theirs' },
      refused: { connectionId, secret: '' },
      target: connectionId,
      detail: { secretGiven: true },
    }),
  },
  removeProviderWebhook: {
    action: 'provider_webhook.removed',
    selection: CONNECTION,
    async prepare(harness) {
      const { connectionId } = harness
      await harness.done('setProviderWebhook', { connectionId }, 'url')
      return {
        input: { connectionId },
        refused: { connectionId: NO_CONNECTION },
        target: connectionId,
        detail: {},
      }
    },
  },
  confirmRemovals: onHeldRemoval('connection.removals_confirmed'),
  denyRemovals: onHeldRemoval('connection.removals_denied'),
  liftRemovalDecisions: onHeldRemoval('connection.removals_undecided', 'denyRemovals'),
  createSession: {
    action: 'session.created',
    selection: 'session { id }',
    prepare: async ({ connectionId }) => ({
      input: { connectionIds: [connectionId] },
      refused: { connectionIds: [NO_CONNECTION] },
      target: (payload) => idIn(payload, 'session'),
    }),
    again: 'another',
  },
  revokeSession: {
    action: 'session.revoked',
    selection: 'session { id }',
    async prepare(harness) {
      const sessionId = idIn(await harness.done('createSession', {}, 'session { id }'), 'session')
      return { input: { sessionId }, refused: { sessionId: NO_SYNC }, target: sessionId, detail: {} }
    },
  },
  requestSync: {
    action: 'sync.requested',
    selection: 'sync { id }',
    prepare: async ({ connectionId }) => ({
      input: { connectionId, startFrom: '2026-01-01T00:00:00Z' },
      refused: { connectionId: NO_CONNECTION },
      target: (payload) => idIn(payload, 'sync'),
      detail: { connectionId, startFrom: '2026-01-01T00:00:00.000Z' },
    }),
  },
  retrySync: onSync('sync.retried', 'cancelSync'),
  cancelSync: onSync('sync.cancelled'),
  createWebhookEndpoint: {
    action: 'webhook_endpoint.created',
    selection: ENDPOINT,
    prepare: async () => ({
      input: { url: RECEIVER, types: ['sync.failed'] },
      refused: { url: 'nowhere' },
      target: (payload) => idIn(payload, 'endpoint'),
      detail: { host: 'receiver.example.com', types: ['sync.failed'] },
    }),
    again: 'another',
  },
  updateWebhookEndpoint: onEndpoint(
    'webhook_endpoint.updated',
    { description: 'Words of theirs' },
    { changed: ['description'] },
  ),
  deleteWebhookEndpoint: {
    ...onEndpoint('webhook_endpoint.deleted', {}, {}),
    selection: 'endpointId',
  },
  disableWebhookEndpoint: onEndpoint('webhook_endpoint.disabled', {}, { reason: 'asked' }),
  enableWebhookEndpoint: onEndpoint(
    'webhook_endpoint.enabled',
    { skipMissed: true },
    { skipMissed: true },
    'disableWebhookEndpoint',
  ),
  rotateWebhookSecret: {
    ...onEndpoint('webhook_endpoint.secret_rotated', { overlapSeconds: 60 }, undefined),
    again: 'another',
  },
  sendTestEvent: {
    ...onEndpoint('webhook_endpoint.test_sent', { type: 'vehicle.added' }, undefined),
    selection: DELIVERY,
    again: 'another',
  },
  recoverWebhookEndpoint: {
    action: 'webhook_endpoint.recovered',
    selection: ENDPOINT,
    async prepare(harness) {
      await harness.event()
      const endpointId = await harness.endpoint()
      const since = '2020-01-01T00:00:00.000Z'
      return {
        input: { endpointId, since },
        refused: { endpointId, since: '2100-01-01T00:00:00.000Z' },
        target: endpointId,
        detail: { since },
      }
    },
  },
  replayEvent: {
    action: 'webhook_delivery.replayed',
    selection: DELIVERY,
    async prepare(harness) {
      const eventId = await harness.event()
      const endpointId = await harness.endpoint()
      return {
        input: { endpointId, eventId },
        refused: { endpointId, eventId: NO_SYNC },
        target: (payload) => idIn(payload, 'delivery'),
        detail: { endpointId, eventId },
      }
    },
    again: 'another',
  },
  replayDelivery: {
    action: 'webhook_delivery.replayed',
    selection: DELIVERY,
    async prepare(harness) {
      const eventId = await harness.event()
      const endpointId = await harness.endpoint()
      const made = await harness.done('replayEvent', { endpointId, eventId }, DELIVERY)
      const deliveryId = idIn(made, 'delivery')
      return {
        input: { deliveryId },
        refused: { deliveryId: NO_SYNC },
        target: deliveryId,
        detail: { endpointId, eventId },
      }
    },
    again: 'another',
  },
}
