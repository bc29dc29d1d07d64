import { isInputObjectType, getNamedType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import { sendTestEvent } from '../../../src/subgraphs/events/webhooks/deliveries/send-test-event.ts'
import { createEndpoint } from '../../../src/subgraphs/events/webhooks/endpoints/create-endpoint.ts'
import { setProviderWebhook } from '../../../src/subgraphs/connections/provider-webhooks/set-provider-webhook.ts'
import { createShortLink } from '../../../src/subgraphs/connections/short-links/create-short-link.ts'
import { issuePublicToken } from '../../../src/subgraphs/connections/tokens/issue-public-token.ts'
import { createSession } from '../../../src/subgraphs/connections/sessions/create-session.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { seedHeldRemoval } from '../../support/rows/held-removal-rows.ts'
import { purchaseCheckRow } from '../../support/rows/purchase-rows.ts'
import { PurchaseCheck } from '../../../src/subgraphs/purchases/purchase-check.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { callerOf, dialects, type ApiClient, unknownId } from '../../support/factories.ts'
import { supergraph } from '../../support/graph/graph-harness.ts'
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'

/** Ids of a connection and its records that another tenant knows. */
interface ForeignIds {
  readonly connectionId: string
  readonly syncId: string
  readonly issueId: string
  readonly publicToken: string
  readonly sessionId: string
  readonly endpointId: string
  readonly deliveryId: string
  readonly eventId: string
  readonly shortLinkId: string
  readonly keyId: string
  readonly vehicleId: string
  readonly driverId: string
  readonly checkId: string
}

interface Attempt {
  readonly selection: string
  /** Returns the input with ids of another tenant. */
  readonly input: (theirs: ForeignIds) => Record<string, unknown>
  /** Forbidden for every caller with a connection token. */
  readonly needsKeyOnly?: true
}

const ofConnection = (
  rest: Record<string, unknown> = {},
  selection = 'connection { id token }',
): Attempt => ({
  selection,
  input: ({ connectionId }) => ({ connectionId, ...rest }),
})

const ofEndpoint = (rest: Record<string, unknown> = {}, selection = 'endpoint { id url }'): Attempt => ({
  selection,
  input: ({ endpointId }) => ({ endpointId, ...rest }),
  needsKeyOnly: true,
})

/**
 * Every mutation, called with ids of another tenant. Null for mutations without ids: they create a record of
 * the caller.
 */
const attempts: Readonly<Record<string, Attempt | null>> = {
  exchangePublicToken: {
    selection: 'connection { id token }',
    input: ({ publicToken }) => ({ publicToken }),
  },
  createConnection: null,
  updateConnection: ofConnection({ tags: ['mine now'], status: 'CONNECTED' }),
  archiveConnection: ofConnection(),
  reconnectConnection: ofConnection(),
  disconnectConnection: ofConnection(),
  cancelConnectionDeletion: ofConnection(),
  deleteConnection: ofConnection(),
  requestSync: ofConnection({ days: 1 }, 'sync { id }'),
  passthrough: ofConnection({ method: 'GET', path: '/account' }, 'response { response }'),
  setProviderWebhook: ofConnection({}, 'url'),
  removeProviderWebhook: ofConnection(),
  confirmRemovals: ofConnection({ model: 'Vehicle' }),
  denyRemovals: ofConnection(),
  liftRemovalDecisions: ofConnection(),
  retrySync: { selection: 'sync { id }', input: ({ syncId }) => ({ syncId }) },
  cancelSync: { selection: 'sync { id }', input: ({ syncId }) => ({ syncId }) },
  createSession: {
    selection: 'session { id }',
    input: ({ connectionId }) => ({ connectionIds: [connectionId] }),
  },
  revokeSession: { selection: 'session { id }', input: ({ sessionId }) => ({ sessionId }) },
  createWebhookEndpoint: null,
  updateWebhookEndpoint: ofEndpoint({ url: 'https://mine.example.com' }),
  deleteWebhookEndpoint: ofEndpoint({}, 'endpointId'),
  enableWebhookEndpoint: ofEndpoint({ skipMissed: true }),
  disableWebhookEndpoint: ofEndpoint(),
  rotateWebhookSecret: ofEndpoint({}, 'secret'),
  sendTestEvent: ofEndpoint({ type: 'vehicle.added' }, 'delivery { id }'),
  recoverWebhookEndpoint: ofEndpoint({ since: '2026-01-01T00:00:00Z' }, 'events endpoint { id }'),
  replayEvent: {
    selection: 'delivery { id }',
    input: ({ endpointId, eventId }) => ({ endpointId, eventId }),
    needsKeyOnly: true,
  },
  replayDelivery: {
    selection: 'delivery { id }',
    input: ({ deliveryId, endpointId }) => ({ deliveryId, endpointId }),
    needsKeyOnly: true,
  },
  createShortLink: null,
  deleteShortLink: {
    selection: 'shortLinkId',
    input: ({ shortLinkId }) => ({ shortLinkId }),
    needsKeyOnly: true,
  },
  updateApplication: null,
  createKey: null,
  rotateKey: { selection: 'key { id }', input: ({ keyId }) => ({ keyId }), needsKeyOnly: true },
  revokeKey: { selection: 'key { id }', input: ({ keyId }) => ({ keyId }), needsKeyOnly: true },
  resolveIssue: { selection: 'issue { id connection { id } }', input: ({ issueId }) => ({ issueId }) },
  setPurchasePolicy: {
    selection: 'policy { id }',
    input: ({ vehicleId }) => ({ targetId: vehicleId, stage: 'V1' }),
    needsKeyOnly: true,
  },
  assignCard: {
    selection: 'card { cardId }',
    input: ({ vehicleId, driverId }) => ({ cardId: 'card', vehicleId, driverId }),
    needsKeyOnly: true,
  },
  unassignCard: null,
  setPurchaseSite: null,
  removePurchaseSite: null,
  replayPurchases: null,
  captureForCheck: {
    selection: 'check { id }',
    input: ({ checkId }) => ({
      idempotencyKey: checkId,
      checkId,
      authorizationId: null,
      amount: { value: 1, currency: 'USD' },
    }),
  },
  setVehicleFacts: {
    selection: 'vehicle { id ownFacts { fuelTankCapacity } }',
    input: ({ vehicleId }) => ({ vehicleId, fuelTankCapacity: 400 }),
  },
  checkPurchase: {
    selection: 'check { id }',
    input: ({ vehicleId, driverId }) => ({
      idempotencyKey: vehicleId,
      vehicleId,
      driverId,
      cardId: 'card',
      authorizationId: 'authorization-of-theirs',
      merchant: { name: 'Mine', categoryCode: '5542' },
      amount: { value: 1, currency: 'USD' },
    }),
  },
}

const mutations = Object.values(supergraph.apiSchema.getMutationType()?.getFields() ?? {})

test('every mutation has an attempt', () => {
  expect(Object.keys(attempts).sort()).toEqual(mutations.map(({ name }) => name).sort())
})

test('every id and token of a mutation input has an attempt', () => {
  const ofWebhooks = { endpointId: 'w', deliveryId: 'd', eventId: 'v', shortLinkId: 'l', keyId: 'k' }
  const ofPurchases = { vehicleId: 'h', driverId: 'r', checkId: 'q' }
  const ofConnections = { connectionId: 'c', syncId: 's', issueId: 'i', publicToken: 'p', sessionId: 'e' }
  const unknownIds: ForeignIds = { ...ofConnections, ...ofWebhooks, ...ofPurchases }
  for (const { name, args } of mutations) {
    const input = getNamedType(args[0]!.type)
    const fields = isInputObjectType(input) ? Object.values(input.getFields()) : []
    const taken = fields.filter(
      (field) => /(Id|Token)$/.test(field.name) && !['externalId', 'cardId', 'siteId'].includes(field.name),
    )
    const tried = Object.keys(attempts[name]?.input(unknownIds) ?? {})
    expect([name, tried]).toEqual([name, expect.arrayContaining(taken.map((field) => field.name))])
  }
})

describe.each(dialects)('on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const unknownIds: ForeignIds = {
    connectionId: unknownId('connection'),
    syncId: unknownId('sync'),
    issueId: unknownId('issue'),
    publicToken: `pub_tkn_${'0'.repeat(32)}`,
    sessionId: unknownId('session'),
    endpointId: unknownId('webhookEndpoint'),
    deliveryId: unknownId('webhookDelivery'),
    eventId: unknownId('event'),
    shortLinkId: unknownId('shortLink'),
    keyId: unknownId('key'),
    vehicleId: unknownId('vehicle'),
    driverId: unknownId('driver'),
    checkId: unknownId('purchaseCheck'),
  }

  async function foreignIdsOf(linked: Linked): Promise<ForeignIds> {
    await harness.fault(linked, { path: '/groups', status: 403, count: 1 })
    await harness.sync(linked)
    const [issue] = await harness.db.rows<{ id: string }>(
      'SELECT `id` FROM `issues` WHERE `connectionId` = ?',
      [linked.id],
    )
    const { session } = await createSession(harness.tools, callerOf(linked.client), {})
    await setProviderWebhook(harness.tools, callerOf(linked.client), {})
    await seedHeldRemoval(harness.db, (await findById(harness.db, Connection, linked.id))!)
    return {
      connectionId: linked.id,
      syncId: await harness.requestSync(linked),
      issueId: String(issue?.id),
      publicToken: await issuePublicToken(harness.db, linked, harness.tools.clock.now()),
      sessionId: session.id,
      shortLinkId: await shortLinkOf(linked),
      keyId: await keyOf(linked),
      vehicleId: await firstIdIn('vehicles', linked),
      driverId: await firstIdIn('drivers', linked),
      checkId: await purchaseCheckOf(linked),
      ...(await webhooksOf(linked)),
    }
  }

  async function purchaseCheckOf(linked: Linked): Promise<string> {
    const { applicationId, id: connectionId } = linked
    const check = purchaseCheckRow(
      { applicationId, connectionId },
      { vehicleId: await firstIdIn('vehicles', linked) },
    )
    await harness.db.transaction((tx) => tx.insert(tableOf(PurchaseCheck), [check]))
    return check.id
  }

  async function shortLinkOf({ applicationId, id }: Linked): Promise<string> {
    const { shortLink } = await createShortLink(harness.tools, keyHolder(applicationId), { externalId: id })
    return shortLink.id
  }

  async function keyOf({ applicationId }: Linked): Promise<string> {
    const [key] = await harness.db.rows<{ id: string }>(
      'SELECT `id` FROM `api_keys` WHERE `applicationId` = ?',
      [applicationId],
    )
    return String(key?.id)
  }

  async function firstIdIn(table: 'vehicles' | 'drivers', { id }: Linked): Promise<string> {
    const [row] = await harness.db.rows<{ id: string }>(
      `SELECT \`id\` FROM \`${table}\` WHERE \`connectionId\` = ? LIMIT 1`,
      [id],
    )
    return String(row?.id)
  }

  /** Creates an endpoint of the application, a delivery to it, and an event in the log. */
  async function webhooksOf({ id, applicationId }: Linked) {
    const [event] = await harness.db.rows<{ id: string; sequence: number }>(
      'SELECT `id`, `sequence` FROM `events` WHERE `connectionId` = ? ORDER BY `sequence` LIMIT 1',
      [id],
    )
    await harness.db.transaction(async (tx) => {
      await tx.run('UPDATE `events` SET `position` = 1 WHERE `sequence` = ?', [event?.sequence])
      await tx.run('INSERT INTO `log_heads` (`applicationId`, `position`) VALUES (?, 1)', [applicationId])
    })
    const caller = keyHolder(applicationId)
    const { endpoint } = await createEndpoint(harness.tools, caller, { url: 'https://receiver.example.com' })
    const test = { endpointId: endpoint.id, type: 'vehicle.added' }
    const { id: deliveryId } = await sendTestEvent(harness.tools, caller, test)
    return { endpointId: endpoint.id, deliveryId, eventId: String(event?.id) }
  }

  const webhookTables = [
    'short_links',
    'api_keys',
    'webhook_endpoints',
    'webhook_progress',
    'webhook_secrets',
    'webhook_deliveries',
    'purchase_policies',
  ]

  /** Returns all stored rows of a connection that a mutation could change. */
  const stored = ({ id, applicationId }: Linked) =>
    Promise.all([
      ...[
        'connections',
        'syncs',
        'issues',
        'held_removals',
        'public_tokens',
        'events',
        'purchase_checks',
        'vehicle_facts',
      ].map((table) => harness.db.rows(`SELECT * FROM \`${table}\` WHERE \`connectionId\` = ?`, [id])),
      ...webhookTables.map((table) =>
        harness.db.rows(`SELECT * FROM \`${table}\` WHERE \`applicationId\` = ?`, [applicationId]),
      ),
    ])

  type Situation = () => Promise<[ApiClient, Linked]>

  const situations: Readonly<Record<string, Situation>> = {
    'an application writes to records of another application': async () => [
      (await harness.application()).owner,
      await harness.link(),
    ],
    'a connection writes to records of another application': async () => [
      (await harness.link()).client,
      await harness.link(),
    ],
    'a connection writes to records of another connection of its application': async () => {
      const application = await harness.application()
      return [(await harness.link(application)).client, await harness.link(application)]
    },
  }

  test.each(Object.entries(situations))(
    '%s: the response is that for an unknown id',
    async (_, situation) => {
      const [client, linked] = await situation()
      const theirs = await foreignIdsOf(linked)
      const before = await stored(linked)
      for (const [name, attempt] of Object.entries(attempts)) {
        if (!attempt) continue
        const answer = await harness.mutate(client, name, attempt.input(theirs), attempt.selection)
        const expected = await harness.mutate(client, name, attempt.input(unknownIds), attempt.selection)
        expect([name, answer]).toEqual([name, expected])
        const isRefused = attempt.needsKeyOnly && client.connectionId !== null
        expect([name, answer.payload, answer.code]).toEqual([
          name,
          null,
          isRefused ? 'FORBIDDEN' : 'NOT_FOUND',
        ])
      }
      expect(await stored(linked)).toEqual(before)
    },
  )

  test('the owner succeeds with the same attempts, by the secret key only', async () => {
    for (const [name, attempt] of Object.entries(attempts)) {
      if (!attempt) continue
      const linked = await harness.link()
      const theirs = await foreignIdsOf(linked)
      if (name === 'requestSync' || name === 'retrySync')
        await harness.mutate(linked.owner, 'cancelSync', { syncId: theirs.syncId }, 'message')
      if (name === 'cancelConnectionDeletion')
        await harness.mutate(linked.owner, 'deleteConnection', { connectionId: linked.id }, 'message')
      const { code } = await harness.mutate(linked.owner, name, attempt.input(theirs), attempt.selection)
      expect([name, code]).toEqual([name, null])
    }
  })

  test('a caller with only the secret key must name the connection', async () => {
    const { owner } = await harness.link()
    for (const [name, attempt] of Object.entries(attempts)) {
      if (!attempt || !('connectionId' in attempt.input(unknownIds))) continue
      const { connectionId: _, ...rest } = attempt.input(unknownIds)
      const { code } = await harness.mutate(owner, name, rest, attempt.selection)
      expect([name, code]).toEqual([name, 'FORBIDDEN'])
    }
  })

  test('a caller with a connection token cannot create a connection', async () => {
    const { client, applicationId } = await harness.link()
    const outcome = await harness.mutate(
      client,
      'createConnection',
      { provider: 'sandbox', credentials: { apiKey: 'sandbox-3-1' } },
      'connection { id }',
    )
    expect(outcome).toMatchObject({ payload: null, code: 'FORBIDDEN' })
    const rows = await harness.db.rows('SELECT 1 FROM `connections` WHERE `applicationId` = ?', [
      applicationId,
    ])
    expect(rows).toHaveLength(1)
  })

  test('a caller cannot read the issues of another application', async () => {
    const [ours, theirs] = [await harness.link(), await harness.link()]
    const { issueId, syncId, connectionId } = await foreignIdsOf(theirs)
    const { data } = await harness.ask(
      ours.client,
      `{ issue(id: "${issueId}") { id } node(id: "${issueId}") { id } sync(id: "${syncId}") { issues { id } }
        issues(connectionId: "${connectionId}") { nodes { id } totalCount } }`,
    )
    expect(data).toEqual({ issue: null, node: null, sync: null, issues: { nodes: [], totalCount: 0 } })
  })
})
