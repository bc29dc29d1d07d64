import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FleetAccount } from '../../../../src/providers/provider.ts'
import {
  AccountMismatch,
  reconnectConnection,
} from '../../../../src/subgraphs/connections/lifecycle/reconnect-connection.ts'
import { dialects } from '../../../support/factories.ts'
import { ConnectionsHarness, type Linked } from '../../../support/harnesses/connections-harness.ts'
import { decryptedColumn } from '../../../support/secrets/decrypted-column.ts'

describe.each(dialects)('reconnecting a connection on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const account = (values: Partial<FleetAccount> = {}): FleetAccount => ({
    sourceId: 'acc-1',
    name: 'Acme',
    dotNumbers: ['1'],
    user: { firstName: 'Ada' },
    timeZone: null,
    ...values,
  })
  const linkWithStatus = async (status = 'connected'): Promise<Linked> => {
    const linked = await harness.link(undefined, { account: account(), tags: ['kept'] })
    await harness.set('connections', linked.id, { status })
    harness.moveClock(1000)
    return linked
  }
  const reconnect = ({ id: connectionId, applicationId }: Linked, values: Partial<FleetAccount> = {}) =>
    reconnectConnection(harness.tools, {
      applicationId,
      connectionId,
      account: account(values),
      credentials: { apiKey: 'new' },
      agreements: [
        { type: 'end-user-agreement', agreementUrl: 'https://example.com', ipAddress: '192.0.2.7' },
      ],
      actor: { kind: 'fleet', id: 'lnk_1' },
    })
  const eventsAfterLink = async (one: Linked) => (await harness.events(one, '')).slice(2)

  test.each(['disconnected', 'archived'])(
    'connects a %s connection, which keeps its token',
    async (status) => {
      const one = await linkWithStatus(status)
      const after = await reconnect(one)
      expect(after).toMatchObject({ id: one.id, status: 'connected', tags: ['kept'] })
      const row = await harness.row('connections', one.id)
      expect(decryptedColumn(harness.tools.secrets, 'connections.tokenSealed', row)).toBe(one.client.token)
      expect(decryptedColumn(harness.tools.secrets, 'connections.credentialsSealed', row)).toBe(
        '{"apiKey":"new"}',
      )
      expect(await eventsAfterLink(one)).toEqual(['connection.reconnected', 'sync.requested'])
      expect(harness.added).toContain(`sync-connection ${one.id} ${after.lastSyncId}`)
    },
  )

  test('updates a connected connection without a new sync', async () => {
    const one = await linkWithStatus()
    await reconnect(one)
    expect(await eventsAfterLink(one)).toEqual(['connection.updated'])
  })

  test('stores the agreements and the actor', async () => {
    const one = await linkWithStatus('disconnected')
    await reconnect(one)
    const { data } = await harness.ask(
      one.client,
      '{ connection { agreements { type ipAddress acceptedBy { firstName } connectionId } } }',
    )
    expect(data).toEqual({
      connection: {
        agreements: [
          {
            type: 'end-user-agreement',
            ipAddress: '192.0.2.7',
            acceptedBy: { firstName: 'Ada' },
            connectionId: one.id,
          },
        ],
      },
    })
    const [entry] = await harness.db.rows<Record<string, unknown>>(
      "SELECT * FROM `audit_log` WHERE `targetId` = ? AND `action` = 'connection.reconnected'",
      [one.id],
    )
    expect(entry).toMatchObject({ actorKind: 'fleet', actorId: 'lnk_1', applicationId: one.applicationId })
  })

  test('to another account is refused, and changes nothing', async () => {
    const one = await linkWithStatus('disconnected')
    const before = await harness.row('connections', one.id)
    await expect(reconnect(one, { sourceId: 'acc-2' })).rejects.toBeInstanceOf(AccountMismatch)
    expect(await harness.row('connections', one.id)).toEqual(before)
    expect(await eventsAfterLink(one)).toEqual([])
  })

  test.each(['pending_deletion', 'deleting', 'deleted'])(
    'is refused for a connection that is %s',
    async (status) => {
      const one = await linkWithStatus(status)
      await expect(reconnect(one)).rejects.toMatchObject({ code: 'unprocessable_entity' })
      expect(await harness.row('connections', one.id)).toMatchObject({ status })
      expect(await eventsAfterLink(one)).toEqual([])
    },
  )

  test('fails the same way for a connection of another application and an unknown one', async () => {
    const [one, other] = [await linkWithStatus('disconnected'), await linkWithStatus()]
    const foreign = reconnect({ ...one, applicationId: other.applicationId })
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
    await expect(reconnect({ ...one, id: 'conn_1' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await harness.row('connections', one.id)).toMatchObject({ status: 'disconnected' })
  })

  test('is atomic with the work in its transaction', async () => {
    const one = await linkWithStatus('disconnected')
    const failing = reconnectConnection(
      harness.tools,
      {
        applicationId: one.applicationId,
        connectionId: one.id,
        account: account(),
        credentials: {},
        actor: { kind: 'fleet', id: null },
      },
      () => Promise.reject(new Error('no')),
    )
    await expect(failing).rejects.toThrow('no')
    expect(await harness.row('connections', one.id)).toMatchObject({ status: 'disconnected' })
    expect(await eventsAfterLink(one)).toEqual([])
  })
})
