import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import { reencrypt } from '../../../src/cli/reencrypt.ts'
import { DAY, dialects, masterEncryption, MINUTE, NOON, unknownId } from '../../support/factories.ts'
import { EndpointHarness, RECEIVER } from '../../support/webhooks/endpoint-harness.ts'
import { decryptedColumn } from '../../support/secrets/decrypted-column.ts'

/** An old secret stays this long after its overlap, until every worker has the new secret. */
const MIN_RETENTION_MS = 3000

const iso = (at: number) => new Date(at).toISOString()

describe.each(dialects)('an endpoint on %s', (dialect) => {
  let harness: EndpointHarness
  beforeAll(async () => void (harness = await EndpointHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const progressOf = async (id: string) => (await harness.rows('webhook_progress', '`endpointId` = ?', id))[0]

  test('changes only the members of the input', async () => {
    const { client } = await harness.seed()
    const endpointId = await harness.endpoint(client, {
      description: 'old',
      tags: ['west'],
      ratePerSecond: 5,
    })
    await harness.markDelivered(endpointId)
    harness.now += MINUTE
    const before = harness.notifications
    const selection = 'endpoint { url description types tags ratePerSecond concurrency createdAt modifiedAt }'
    const change = {
      endpointId,
      types: ['sync.completed'],
      description: null,
      ratePerSecond: null,
      url: null,
    }
    const { payload } = await harness.mutate(client, 'updateWebhookEndpoint', change, selection)
    expect(payload.endpoint).toEqual({
      url: RECEIVER,
      description: null,
      types: ['sync.completed'],
      tags: ['west'],
      ratePerSecond: null,
      concurrency: 10,
      createdAt: iso(harness.now - MINUTE),
      modifiedAt: iso(harness.now),
    })
    expect(harness.notifications).toBe(before + 1)
    expect(await progressOf(endpointId)).toMatchObject({ wakeAt: harness.now })
    harness.now += MINUTE
    const same = await harness.mutate(client, 'updateWebhookEndpoint', change, selection)
    expect(same.payload.endpoint).toEqual(payload.endpoint)
    expect(
      await harness.mutate(
        client,
        'updateWebhookEndpoint',
        { endpointId, url: 'http://a.example.com' },
        selection,
      ),
    ).toMatchObject({ code: 'BAD_USER_INPUT', path: 'input.url' })
  })

  test('keeps its position while it is disabled, and continues from there', async () => {
    const seeded = await harness.seed()
    const { client } = seeded
    const endpointId = await harness.endpoint(client)
    await harness.markDelivered(endpointId)
    const disabled = await harness.mutate(
      client,
      'disableWebhookEndpoint',
      { endpointId },
      'endpoint { status disabledReason disabledAt }',
    )
    expect(disabled.payload.endpoint).toEqual({
      status: 'DISABLED',
      disabledReason: 'ASKED',
      disabledAt: iso(harness.now),
    })
    const events = await harness.rows('events', '`applicationId` = ?', seeded.id)
    expect(events).toMatchObject([
      { type: 'webhook_endpoint.disabled', connectionId: '', subjectId: endpointId, position: null },
    ])
    expect(JSON.parse(String(events[0]?.['detail']))).toEqual({
      endpoint: {
        id: endpointId,
        url: RECEIVER,
        types: ['*'],
        disabledReason: 'asked',
        disabledAt: iso(harness.now),
      },
    })
    harness.now += DAY
    const again = await harness.mutate(
      client,
      'disableWebhookEndpoint',
      { endpointId },
      'endpoint { disabledAt }',
    )
    expect(again.payload.endpoint.disabledAt).toBe(iso(harness.now - DAY))
    expect(await harness.rows('events', '`applicationId` = ?', seeded.id)).toHaveLength(1)

    await harness.log(seeded, [{}, {}])
    await harness.run(
      "UPDATE `webhook_progress` SET `failures` = 30, `failingSince` = 1, `leaseOwner` = 'w', `leasedUntil` = 9e12 WHERE `endpointId` = ?",
      endpointId,
    )
    const enabled = await harness.mutate(
      client,
      'enableWebhookEndpoint',
      { endpointId },
      'endpoint { status disabledReason disabledAt backlog failingSince }',
    )
    expect(enabled.payload.endpoint).toEqual({
      status: 'ENABLED',
      disabledReason: null,
      disabledAt: null,
      backlog: 2,
      failingSince: null,
    })
    expect(await progressOf(endpointId)).toMatchObject({
      position: 0,
      failures: 0,
      leaseOwner: null,
      leasedUntil: null,
      wakeAt: harness.now,
    })
  })

  test('skips missed events on request, also against the write of an old worker', async () => {
    const seeded = await harness.seed()
    const { client } = seeded
    const endpointId = await harness.endpoint(client)
    const [eventId] = await harness.log(seeded, [{}, {}, {}])
    const deliveryId = await harness.delivery(seeded, endpointId, eventId!, {
      status: 'pending',
      nextAttemptAt: harness.now + DAY,
    })
    await harness.mutate(client, 'disableWebhookEndpoint', { endpointId }, 'endpoint { id }')
    await harness.run(
      "UPDATE `webhook_progress` SET `leaseOwner` = 'w', `leasedUntil` = 9e12 WHERE `endpointId` = ?",
      endpointId,
    )
    await harness.mutate(client, 'enableWebhookEndpoint', { endpointId, skipMissed: true }, 'endpoint { id }')
    expect(await progressOf(endpointId)).toMatchObject({ position: 3, leaseOwner: null })
    const moved = await harness.run(
      "UPDATE `webhook_progress` SET `position` = 1 WHERE `endpointId` = ? AND `leaseOwner` = 'w'",
      endpointId,
    )
    expect(moved).toBe(0)
    expect(await harness.rows('webhook_deliveries', '`id` = ?', deliveryId)).toMatchObject([
      { status: 'cancelled', nextAttemptAt: null },
    ])
  })

  test('that is enabled does not change when it is enabled again', async () => {
    const seeded = await harness.seed()
    const endpointId = await harness.endpoint(seeded.client)
    await harness.log(seeded, [{}])
    const input = { endpointId, skipMissed: true }
    const result = await harness.mutate(
      seeded.client,
      'enableWebhookEndpoint',
      input,
      'endpoint { backlog status }',
    )
    expect(result.payload.endpoint).toEqual({ backlog: 1, status: 'ENABLED' })
  })

  test('has the old and the new secret during an overlap', async () => {
    const { client } = await harness.seed()
    const made = await harness.mutate(
      client,
      'createWebhookEndpoint',
      { url: RECEIVER },
      'secret endpoint { id secrets { id } }',
    )
    const endpointId = made.payload.endpoint.id as string
    const rotate = (input: object = {}) =>
      harness.mutate(
        client,
        'rotateWebhookSecret',
        { endpointId, ...input },
        'secret endpoint { secrets { id createdAt expiresAt } }',
      )
    const expiries = ({ payload }: Awaited<ReturnType<typeof rotate>>) =>
      (payload.endpoint.secrets as { expiresAt: string | null }[]).map(({ expiresAt }) => expiresAt)
    const first = await rotate()
    expect(first.payload.secret).not.toBe(made.payload.secret)
    expect(expiries(first)).toEqual([iso(harness.now + MIN_RETENTION_MS + DAY), null])
    const rows = await harness.rows('webhook_secrets', '`endpointId` = ? ORDER BY `id`', endpointId)
    expect(rows.map((row) => decryptedColumn(masterEncryption, 'webhook_secrets.secretSealed', row))).toEqual(
      [made.payload.secret, first.payload.secret],
    )

    harness.now += MINUTE
    expect(expiries(await rotate({ overlapSeconds: 600 }))).toEqual([
      iso(harness.now + MIN_RETENTION_MS + 10 * MINUTE),
      iso(harness.now + MIN_RETENTION_MS + 10 * MINUTE),
      null,
    ])
    harness.now += MIN_RETENTION_MS + 10 * MINUTE
    const own = `whsec_${Buffer.from('not a real secret, but long enough').toString('base64')}`
    const last = await rotate({ overlapSeconds: 0, secret: own })
    expect([last.payload.secret, expiries(last)]).toEqual([own, [iso(harness.now + MIN_RETENTION_MS), null]])
    for (const overlapSeconds of [-1, 7 * 86_400 + 1])
      expect(await rotate({ overlapSeconds })).toMatchObject({ path: 'input.overlapSeconds' })
    expect(await rotate({ secret: 'whsec_' })).toMatchObject({ path: 'input.secret' })
  })

  test('has secrets encrypted under the current key after a key rotation', async () => {
    const { client } = await harness.seed()
    const made = await harness.mutate(
      client,
      'createWebhookEndpoint',
      { url: RECEIVER },
      'secret endpoint { id }',
    )
    const next = Buffer.alloc(32, 9)
    const both = createEncryption(() => [next, Buffer.alloc(32, 7)])
    expect((await reencrypt({ db: harness.db, secrets: both }, () => undefined)).undecryptable).toEqual([])
    const rows = await harness.rows('webhook_secrets', '`endpointId` = ?', made.payload.endpoint.id)
    expect(
      rows.map((row) => decryptedColumn(createEncryption(next), 'webhook_secrets.secretSealed', row)),
    ).toEqual([made.payload.secret])
    const back = createEncryption(() => [Buffer.alloc(32, 7), next])
    await reencrypt({ db: harness.db, secrets: back }, () => undefined)
  })

  test('has five secrets at most, without the oldest ones', async () => {
    const { client } = await harness.seed()
    const endpointId = await harness.endpoint(client)
    const rotations: ReturnType<typeof harness.mutate>[] = []
    for (let more = 0; more < 6; more++) {
      harness.now += 1000
      rotations.push(harness.mutate(client, 'rotateWebhookSecret', { endpointId }, 'secret'))
      const condition = '`endpointId` = ? AND `createdAt` = ?'
      await expect
        .poll(() => harness.rows('webhook_secrets', condition, endpointId, harness.now))
        .toHaveLength(1)
    }
    const secrets = (await Promise.all(rotations)).map(({ payload }) => payload.secret as string)
    const rows = await harness.rows('webhook_secrets', '`endpointId` = ? ORDER BY `id`', endpointId)
    expect(rows.map((row) => decryptedColumn(masterEncryption, 'webhook_secrets.secretSealed', row))).toEqual(
      secrets.slice(-5),
    )
  })

  test('is deleted with its secrets and its progress', async () => {
    const { client } = await harness.seed()
    const [endpointId, other] = [await harness.endpoint(client), await harness.endpoint(client)]
    const result = await harness.mutate(client, 'deleteWebhookEndpoint', { endpointId }, 'endpointId')
    expect(result.payload).toEqual({ endpointId })
    for (const table of ['webhook_progress', 'webhook_secrets']) {
      expect(await harness.rows(table, '`endpointId` = ?', endpointId)).toEqual([])
      expect(await harness.rows(table, '`endpointId` = ?', other)).toHaveLength(1)
    }
    const { data } = await harness.ask(client, '{ webhookEndpoints { nodes { id } } }')
    expect(data).toEqual({ webhookEndpoints: { nodes: [{ id: other }] } })
    expect(await harness.mutate(client, 'deleteWebhookEndpoint', { endpointId }, 'endpointId')).toMatchObject(
      {
        code: 'NOT_FOUND',
      },
    )
  })

  const changes: readonly (readonly [string, object, string])[] = [
    ['updateWebhookEndpoint', { url: 'https://mine.example.com' }, 'endpoint { id }'],
    ['deleteWebhookEndpoint', {}, 'endpointId'],
    ['enableWebhookEndpoint', {}, 'endpoint { id }'],
    ['disableWebhookEndpoint', {}, 'endpoint { id }'],
    ['rotateWebhookSecret', {}, 'secret'],
    ['sendTestEvent', { type: 'vehicle.added' }, 'delivery { id }'],
    ['recoverWebhookEndpoint', { since: iso(NOON) }, 'events'],
  ]
  test.each(changes)(
    'is not found by %s of another application, and refused to a connection token',
    async (name, rest, selection) => {
      const [mine, theirs] = [await harness.seed(), await harness.seed()]
      const endpointId = await harness.endpoint(theirs.client)
      const stored = () =>
        Promise.all(
          ['webhook_endpoints', 'webhook_progress', 'webhook_secrets', 'webhook_deliveries'].map((table) =>
            harness.rows(table, '`applicationId` = ?', theirs.id),
          ),
        )
      const before = await stored()
      const foreign = await harness.mutate(mine.client, name, { endpointId, ...rest }, selection)
      const unknown = { endpointId: unknownId('webhookEndpoint'), ...rest }
      expect(foreign).toEqual(await harness.mutate(mine.client, name, unknown, selection))
      expect(foreign.code).toBe('NOT_FOUND')
      const narrowed = await harness.mutate(theirs.narrowed(0), name, { endpointId, ...rest }, selection)
      expect(narrowed).toMatchObject({ payload: null, code: 'FORBIDDEN' })
      expect(await stored()).toEqual(before)
    },
  )
})
