import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../../../src/providers/provider.ts'
import {
  AccountMismatch,
  reconnectConnection,
} from '../../../../src/subgraphs/connections/lifecycle/reconnect-connection.ts'
import { dialects } from '../../../support/factories.ts'
import { ConnectionsHarness, type Linked } from '../../../support/connections-harness.ts'
import { openedIn } from '../../../support/secrets/open-sealed.ts'

describe.each(dialects)('signing in to a connection again on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const account = (values: Partial<Account> = {}): Account => ({
    sourceId: 'acc-1',
    name: 'Acme',
    dotNumbers: ['1'],
    user: { firstName: 'Ada' },
    timeZone: null,
    ...values,
  })
  const linked = async (status = 'connected'): Promise<Linked> => {
    const made = await harness.link(undefined, { account: account(), tags: ['kept'] })
    await harness.set('connections', made.id, { status })
    harness.moveClock(1000)
    return made
  }
  const reconnect = ({ id: connectionId, applicationId }: Linked, given: Partial<Account> = {}) =>
    reconnectConnection(harness.tools, {
      applicationId,
      connectionId,
      account: account(given),
      credentials: { apiKey: 'new' },
      agreements: [
        { type: 'end-user-agreement', agreementUrl: 'https://example.com', ipAddress: '192.0.2.7' },
      ],
      actor: { kind: 'fleet', id: 'lnk_1' },
    })
  const told = async (one: Linked) => (await harness.events(one, '')).slice(2)

  test.each(['disconnected', 'archived'])('connects a %s one, which keeps its token', async (status) => {
    const one = await linked(status)
    const after = await reconnect(one)
    expect(after).toMatchObject({ id: one.id, status: 'connected', tags: ['kept'] })
    const row = await harness.row('connections', one.id)
    expect(openedIn(harness.tools.secrets, 'connections.tokenSealed', row)).toBe(one.party.token)
    expect(openedIn(harness.tools.secrets, 'connections.credentialsSealed', row)).toBe('{"apiKey":"new"}')
    expect(await told(one)).toEqual(['connection.reconnected', 'sync.requested'])
    expect(harness.added).toContain(`sync-connection ${one.id} ${after.lastSyncId}`)
  })

  test('tells of a connected one that it was changed, and leaves its syncs to their turns', async () => {
    const one = await linked()
    await reconnect(one)
    expect(await told(one)).toEqual(['connection.updated'])
  })

  test('keeps what was agreed to, and who did it', async () => {
    const one = await linked('disconnected')
    await reconnect(one)
    const { data } = await harness.ask(
      one.party,
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
    const [act] = await harness.db.rows<Record<string, unknown>>(
      "SELECT * FROM `audit_log` WHERE `targetId` = ? AND `action` = 'connection.reconnected'",
      [one.id],
    )
    expect(act).toMatchObject({ actorKind: 'fleet', actorId: 'lnk_1', applicationId: one.applicationId })
  })

  test('to another account is refused, and changes nothing', async () => {
    const one = await linked('disconnected')
    const before = await harness.row('connections', one.id)
    await expect(reconnect(one, { sourceId: 'acc-2' })).rejects.toBeInstanceOf(AccountMismatch)
    expect(await harness.row('connections', one.id)).toEqual(before)
    expect(await told(one)).toEqual([])
  })

  test.each(['pending_deletion', 'deleting', 'deleted'])('is refused for one that is %s', async (status) => {
    const one = await linked(status)
    await expect(reconnect(one)).rejects.toMatchObject({ code: 'unprocessable_entity' })
    expect(await harness.row('connections', one.id)).toMatchObject({ status })
    expect(await told(one)).toEqual([])
  })

  test("is refused for another application's, as for one that there is not", async () => {
    const [one, other] = [await linked('disconnected'), await linked()]
    const foreign = reconnect({ ...one, applicationId: other.applicationId })
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
    await expect(reconnect({ ...one, id: 'conn_1' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await harness.row('connections', one.id)).toMatchObject({ status: 'disconnected' })
  })

  test('does what belongs to it in the same transaction, or nothing', async () => {
    const one = await linked('disconnected')
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
    expect(await told(one)).toEqual([])
  })
})
