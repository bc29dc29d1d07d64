import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteDueConnectionData } from '../../../../src/sync/retention/delete-connection-data.ts'
import { dialects } from '../../../support/factories.ts'
import { DAY, HOUR } from '../../../support/durations.ts'
import { ConnectionsHarness, type Linked } from '../../../support/harnesses/connections-harness.ts'

describe.each(dialects)('the times of a connection on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const now = () => new Date(harness.tools.clock.now()).toISOString()
  const set = ({ client }: Linked, status: string) =>
    harness.mutate(client, 'updateConnection', { status }, 'connection { id }')
  const requestDeletion = ({ client }: Linked) =>
    harness.mutate(client, 'deleteConnection', {}, 'connection { id }')

  async function timesOf({ id, owner }: Linked) {
    const text =
      'query ($id: ID!) { connection(id: $id) { lastSuccessfulSyncAt disconnectedAt deletionScheduledAt } }'
    const { data, errors } = await harness.ask(owner, text, { id })
    expect(errors).toBeUndefined()
    return (data as { connection: Record<string, string | null> }).connection
  }

  test('are null for a new connection', async () => {
    expect(await timesOf(await harness.link())).toEqual({
      lastSuccessfulSyncAt: null,
      disconnectedAt: null,
      deletionScheduledAt: null,
    })
  })

  test('contain the end of the last successful sync, not that of a failed one', async () => {
    const linked = await harness.link()
    await harness.sync(linked)
    const completedAt = now()
    harness.moveClock(HOUR)
    const failing = await harness.requestSync(linked)
    await harness.mutate(linked.client, 'cancelSync', { syncId: failing }, 'sync { id }')
    expect(await timesOf(linked)).toMatchObject({ lastSuccessfulSyncAt: completedAt })
    harness.moveClock(HOUR)
    await harness.sync(linked)
    expect(await timesOf(linked)).toMatchObject({ lastSuccessfulSyncAt: now() })
  })

  test('contain the end of a retried sync, although a later one completed before', async () => {
    const linked = await harness.link()
    const retried = await harness.requestSync(linked)
    await harness.mutate(linked.client, 'cancelSync', { syncId: retried }, 'sync { id }')
    await harness.sync(linked)
    harness.moveClock(HOUR)
    await harness.mutate(linked.client, 'retrySync', { syncId: retried }, 'sync { id }')
    await harness.run(retried)
    const completedAt = now()
    await harness.requestSync(linked)
    expect(await timesOf(linked)).toMatchObject({ lastSuccessfulSyncAt: completedAt })
  })

  test('contain the disconnection by the provider, also after later changes', async () => {
    const linked = await harness.link()
    await harness.revoke(linked)
    await harness.sync(linked)
    const disconnectedAt = now()
    harness.moveClock(HOUR)
    await harness.mutate(linked.client, 'updateConnection', { tags: ['east'] }, 'connection { id }')
    await set(linked, 'DISCONNECTED')
    expect(await timesOf(linked)).toMatchObject({ disconnectedAt })
  })

  test('contain the latest of several disconnections', async () => {
    const linked = await harness.link()
    await set(linked, 'DISCONNECTED')
    harness.moveClock(HOUR)
    expect(await set(linked, 'CONNECTED')).toMatchObject({ code: null })
    expect(await timesOf(linked)).toMatchObject({ disconnectedAt: null })
    await set(linked, 'DISCONNECTED')
    expect(await timesOf(linked)).toMatchObject({ disconnectedAt: now() })
    await set(linked, 'ARCHIVED')
    expect(await timesOf(linked)).toMatchObject({ disconnectedAt: null })
  })

  test('contain the first disconnection again when a deletion is cancelled', async () => {
    for (const status of ['CONNECTED', 'DISCONNECTED']) {
      const linked = await harness.link()
      await set(linked, 'DISCONNECTED')
      const disconnectedAt = now()
      await requestDeletion(linked)
      expect(await timesOf(linked)).toMatchObject({ disconnectedAt: null })
      harness.moveClock(HOUR)
      await set(linked, status)
      expect(await timesOf(linked)).toMatchObject({ disconnectedAt, deletionScheduledAt: null })
    }
  })

  test('contain the disconnection that ends a pending deletion of a connected account', async () => {
    const linked = await harness.link()
    await requestDeletion(linked)
    harness.moveClock(HOUR)
    await set(linked, 'DISCONNECTED')
    expect(await timesOf(linked)).toMatchObject({ disconnectedAt: now() })
  })

  test('contain the scheduled deletion, during and after it too', async () => {
    const linked = await harness.link()
    await harness.sync(linked)
    await set(linked, 'ARCHIVED')
    expect(await timesOf(linked)).toMatchObject({ deletionScheduledAt: null })
    await requestDeletion(linked)
    const deletionScheduledAt = new Date(harness.tools.clock.now() + DAY).toISOString()
    expect(await timesOf(linked)).toMatchObject({ deletionScheduledAt })
    harness.moveClock(DAY)
    await deleteDueConnectionData(harness.tools)
    expect((await harness.row('connections', linked.id))['status']).toBe('deleted')
    expect(await timesOf(linked)).toEqual({
      lastSuccessfulSyncAt: null,
      disconnectedAt: null,
      deletionScheduledAt,
    })
  })

  test('are not part of the events of the connection', async () => {
    const linked = await harness.link()
    await set(linked, 'DISCONNECTED')
    const rows = await harness.db.rows<{ detail: string }>(
      "SELECT `detail` FROM `events` WHERE `connectionId` = ? AND `type` = 'connection.disconnected'",
      [linked.id],
    )
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/isconnectedAt/)
  })
})
