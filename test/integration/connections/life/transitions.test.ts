import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FleetAccount } from '../../../../src/providers/provider.ts'
import { reconnectConnection } from '../../../../src/subgraphs/connections/lifecycle/reconnect-connection.ts'
import { linkAccount } from '../../../../src/subgraphs/connections/lifecycle/link-connection.ts'
import type { transitions, Trigger } from '../../../../src/subgraphs/connections/lifecycle/transitions.ts'
import { pollConnection } from '../../../../src/sync/poll-connection.ts'
import { deleteDueConnectionData } from '../../../../src/sync/retention/delete-connection-data.ts'
import { ConnectionCache } from '../../../../src/webhooks/worker/connection-cache.ts'
import { dialects } from '../../../support/factories.ts'
import { DAY } from '../../../support/durations.ts'
import { ConnectionsHarness, type Linked } from '../../../support/harnesses/connections-harness.ts'

type Status = `${keyof typeof transitions}`

/** Expected result of a trigger: the status afterwards and the events of the connection. */
type Cell = readonly [to: Status | 'before', ...events: string[]] | 'nothing' | 'refused'

const reconnected: Cell = ['connected', 'reconnected']
const disconnected: Cell = ['disconnected', 'disconnected']
const archived: Cell = ['archived', 'updated']
const pending: Cell = ['pending_deletion', 'pending_deletion']
const notRestorable = {
  set_connected: 'refused',
  set_disconnected: 'refused',
  set_archived: 'refused',
  reconnect: 'refused',
  disconnect: 'refused',
  cancel_deletion: 'refused',
  ask_deletion: 'refused',
  link_again: 'nothing',
  sign_in: 'refused',
  refuse_credentials: 'nothing',
  begin_deletion: 'nothing',
  end_deletion: 'nothing',
} as const

/** All transitions as one table: a status or a trigger without its row does not compile. */
const cells: Readonly<Record<Status, Readonly<Record<Trigger, Cell>>>> = {
  connected: {
    set_connected: 'nothing',
    set_disconnected: disconnected,
    set_archived: archived,
    reconnect: 'nothing',
    disconnect: disconnected,
    cancel_deletion: 'refused',
    ask_deletion: pending,
    link_again: ['connected', 'completed'],
    sign_in: ['connected', 'updated'],
    refuse_credentials: disconnected,
    begin_deletion: 'nothing',
    end_deletion: 'nothing',
  },
  disconnected: {
    set_connected: reconnected,
    set_disconnected: 'nothing',
    set_archived: archived,
    reconnect: reconnected,
    disconnect: 'nothing',
    cancel_deletion: 'refused',
    ask_deletion: pending,
    link_again: ['connected', 'reconnected', 'completed'],
    sign_in: reconnected,
    refuse_credentials: 'nothing',
    begin_deletion: 'nothing',
    end_deletion: 'nothing',
  },
  archived: {
    set_connected: reconnected,
    set_disconnected: disconnected,
    set_archived: 'nothing',
    reconnect: reconnected,
    disconnect: disconnected,
    cancel_deletion: 'refused',
    ask_deletion: pending,
    link_again: ['connected', 'reconnected', 'completed'],
    sign_in: reconnected,
    refuse_credentials: 'nothing',
    begin_deletion: 'nothing',
    end_deletion: 'nothing',
  },
  pending_deletion: {
    set_connected: ['before', 'updated'],
    set_disconnected: ['disconnected', 'updated'],
    set_archived: archived,
    reconnect: 'refused',
    disconnect: 'refused',
    cancel_deletion: ['before', 'updated'],
    ask_deletion: 'nothing',
    link_again: 'nothing',
    sign_in: 'refused',
    refuse_credentials: 'nothing',
    begin_deletion: ['deleting'],
    end_deletion: 'nothing',
  },
  deleting: { ...notRestorable, end_deletion: ['deleted', 'deleted'] },
  deleted: notRestorable,
}

interface Effect {
  /** Error code of an on-demand query; null if the provider is queried. */
  readonly onDemandError: string | null
  readonly deliversDataEvents: boolean
  readonly allowsSessions: boolean
}

const inactive: Effect = {
  onDemandError: 'UNPROCESSABLE_ENTITY',
  deliversDataEvents: false,
  allowsSessions: false,
}

/** Behaviour in each status, whatever trigger led to it. */
const effects: Readonly<Record<Status, Effect>> = {
  connected: { onDemandError: null, deliversDataEvents: true, allowsSessions: true },
  disconnected: { onDemandError: 'CONNECTION_DISCONNECTED', deliversDataEvents: true, allowsSessions: true },
  archived: inactive,
  pending_deletion: inactive,
  deleting: inactive,
  deleted: inactive,
}

const statuses = Object.keys(cells) as Status[]
const all = statuses.flatMap((from) =>
  (Object.keys(cells[from]) as Trigger[]).map((trigger) => ({ from, trigger, cell: cells[from][trigger] })),
)

const account: FleetAccount = { sourceId: 'acc-1', name: 'Acme', dotNumbers: [], user: {}, timeZone: null }

describe.each(dialects)('the status of a connection on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())
  // Archives all connections, so that no later test deletes those of an earlier one.
  afterEach(() => harness.db.transaction((tx) => tx.run("UPDATE `connections` SET `status` = 'archived'")))

  const requestStatus = ({ client }: Linked, set: 'CONNECTED' | 'DISCONNECTED' | 'ARCHIVED' | 'delete') =>
    set === 'delete'
      ? harness.mutate(client, 'deleteConnection', {}, 'connection { status updatedAt } message')
      : harness.mutate(client, 'updateConnection', { status: set }, 'connection { status updatedAt }')

  const command = ({ client }: Linked, name: string) =>
    harness.mutate(client, name, {}, 'connection { status updatedAt }')

  const signIn = { account, credentials: { apiKey: 'sandbox-3-77' } }

  /** Runs each trigger through the real code. Returns the code of a refusal. */
  const triggers: Readonly<Record<Trigger, (linked: Linked, syncId: string) => Promise<unknown>>> = {
    set_connected: async (linked) => (await requestStatus(linked, 'CONNECTED')).code,
    set_disconnected: async (linked) => (await requestStatus(linked, 'DISCONNECTED')).code,
    set_archived: async (linked) => (await requestStatus(linked, 'ARCHIVED')).code,
    reconnect: async (linked) => (await command(linked, 'reconnectConnection')).code,
    disconnect: async (linked) => (await command(linked, 'disconnectConnection')).code,
    cancel_deletion: async (linked) => (await command(linked, 'cancelConnectionDeletion')).code,
    ask_deletion: async (linked) => (await requestStatus(linked, 'delete')).code,
    async link_again({ applicationId }) {
      const provider = harness.tools.registry.find('sandbox')
      if (!provider) throw new Error('there is no sandbox')
      await linkAccount(harness.tools, { applicationId, provider, ...signIn })
    },
    sign_in: ({ id: connectionId, applicationId }) =>
      reconnectConnection(harness.tools, {
        applicationId,
        connectionId,
        ...signIn,
        actor: { kind: 'fleet', id: null },
      }).then(
        () => null,
        ({ code }: { code: string }) => code.toUpperCase(),
      ),
    async refuse_credentials(linked, syncId) {
      await harness.revoke(linked)
      await harness.run(syncId)
    },
    begin_deletion: (linked) => runDeletion(linked, 'deleteData'),
    end_deletion: (linked) => runDeletion(linked),
  }

  /** Runs the deletion worker a day later, or stops it before it deletes data. */
  async function runDeletion(linked: Linked, until?: 'deleteData'): Promise<void> {
    const row = await harness.row('connections', linked.id)
    const request = { deletionRequestedAt: harness.tools.clock.now() - (until ? DAY : 0) }
    if (row['status'] === 'pending_deletion') await harness.set('connections', linked.id, request)
    const stopped = new Error('stopped')
    const rows = until ? () => Promise.reject(stopped) : harness.db.rows
    let reads = 0
    const db = {
      ...harness.db,
      rows: ((...args: Parameters<typeof harness.db.rows>) =>
        reads++ === 0 ? harness.db.rows(...args) : rows(...args)) as typeof harness.db.rows,
    }
    await deleteDueConnectionData({ ...harness.tools, db }).catch((error: unknown) => {
      if (error !== stopped) throw error
    })
  }

  async function linkInStatus(from: Status, before: Status = 'connected'): Promise<[Linked, string]> {
    const linked = await harness.link(undefined, { account })
    await harness.set('applications', linked.applicationId, { mergesConnections: 1 })
    const syncId = await harness.requestSync(linked)
    const isPendingDeletion = from === 'pending_deletion'
    await harness.set('connections', linked.id, {
      status: from,
      statusBefore: isPendingDeletion ? before : null,
      deletionRequestedAt: isPendingDeletion ? harness.tools.clock.now() : null,
    })
    harness.moveClock(1000)
    return [linked, syncId]
  }

  async function effectOf({ id, owner, client }: Linked): Promise<Effect> {
    const { errors } = await harness.ask(client, '{ vehicleLocations(first: 1) { nodes { locatedAt } } }')
    const connections = new ConnectionCache(harness.db)
    const isWanted = (storedType: string) =>
      connections.isWanted({ tags: null }, {
        storedType,
        delivery: { connectionId: id, position: 1 },
      } as Parameters<typeof connections.isWanted>[1])
    const types = ['vehicle.added', 'sync.completed', 'connection.updated', 'connection.deleted']
    const [data, syncs, ...connection] = await Promise.all(types.map(isWanted))
    expect([syncs, ...connection]).toEqual([data, true, true])
    const session = await harness.mutate(owner, 'createSession', { connectionIds: [id] }, 'token')
    return {
      onDemandError: errors?.[0]?.extensions?.code ?? null,
      deliversDataEvents: data === true,
      allowsSessions: session.code === null,
    }
  }

  /** Counts the audit entries of a connection. */
  async function auditCount({ id }: Linked): Promise<number> {
    return (await harness.db.rows('SELECT `id` FROM `audit_log` WHERE `targetId` = ?', [id])).length
  }

  test.each(all)('$from, $trigger', async ({ from, trigger, cell }) => {
    const [linked, syncId] = await linkInStatus(from)
    const before = await harness.row('connections', linked.id)
    const eventCount = (await harness.events(linked, '')).length
    const entryCount = await auditCount(linked)
    const code = await triggers[trigger](linked, syncId)
    const after = await harness.row<{ status: Status; updatedAt: number }>('connections', linked.id)
    const events = (await harness.events(linked, '')).slice(cell[0] === 'deleted' ? 0 : eventCount)
    const connectionEvents = events.filter((type) => type.startsWith('connection.'))

    const hasMoved = cell !== 'nothing' && cell !== 'refused'
    expect((await auditCount(linked)) - entryCount).toBe(hasMoved ? 1 : 0)
    if (!hasMoved) {
      expect(after).toMatchObject({ ...before, deletionRequestedAt: after['deletionRequestedAt' as never] })
      expect(connectionEvents).toEqual([])
      expect(code ?? null).toBe(cell === 'refused' ? 'UNPROCESSABLE_ENTITY' : null)
      expect(await effectOf(linked)).toEqual(effects[from])
      return
    }
    const [to, ...kinds] = cell
    const reached = to === 'before' ? 'connected' : to
    expect(code ?? null).toBeNull()
    expect(after.status).toBe(reached)
    expect(connectionEvents).toEqual(kinds.map((kind) => `connection.${kind}`))
    expect(Number(after.updatedAt)).toBeGreaterThan(Number(before['updatedAt']))
    expect(await effectOf(linked)).toEqual(effects[reached])
    // Leaving `connected` fails the running sync; from another status, a requested sync stays.
    const stops = from === 'connected' && reached !== 'connected'
    if (reached !== 'deleted')
      expect(await harness.row('syncs', syncId)).toMatchObject({ status: stops ? 'failed' : 'requested' })
    expect(events.filter((type) => type === 'sync.failed')).toHaveLength(stops ? 1 : 0)
  })

  const cancelling = ['set_connected', 'cancel_deletion'] as const
  const restored = (['connected', 'disconnected', 'archived'] as const).flatMap((before) =>
    cancelling.map((trigger) => ({ before, trigger })),
  )
  test.each(restored)(
    'returns to $before when its deletion is cancelled by $trigger',
    async ({ before, trigger }) => {
      const [linked, syncId] = await linkInStatus('pending_deletion', before)
      await triggers[trigger](linked, syncId)
      expect(await harness.row('connections', linked.id)).toMatchObject({
        status: before,
        statusBefore: null,
        deletionRequestedAt: null,
      })
      expect((await harness.events(linked, 'connection.')).slice(2)).toEqual(['connection.updated'])
    },
  )

  test('allows polls only while it is connected', async () => {
    for (const status of statuses) {
      const [linked] = await linkInStatus(status)
      await pollConnection(harness.tools, linked.id, 'LatestVehicleLocation', {
        id: 'poll',
        attempt: 1,
        signal: new AbortController().signal,
      })
      const found = await harness.db.rows(
        'SELECT 1 FROM `latest_vehicle_locations` WHERE `connectionId` = ?',
        [linked.id],
      )
      expect([status, found.length > 0]).toEqual([status, status === 'connected'])
    }
  })

  test('stays connected if a running sync fails with credentials from before a reconnect', async () => {
    const [linked, syncId] = await linkInStatus('connected')
    await harness.fault(linked, { path: '/vehicles', status: 401, count: 1 })
    harness.adapt = (adapter) => {
      const reader = adapter.readers.Vehicle as NonNullable<typeof adapter.readers.Vehicle>
      const read: typeof reader.read = async (...args) => {
        await triggers.sign_in(linked, syncId)
        return reader.read(...args)
      }
      return { ...adapter, readers: { ...adapter.readers, Vehicle: { ...reader, read } } }
    }
    await harness.run(syncId)
    harness.adapt = (adapter) => adapter
    expect(await harness.row('connections', linked.id)).toMatchObject({ status: 'connected' })
    expect(await harness.row('syncs', syncId)).toMatchObject({ status: 'completed' })
    expect(await harness.events(linked, 'connection.disconnected')).toEqual([])
  })

  test('cannot be set to connected while the provider refuses the credentials', async () => {
    for (const status of ['connected', 'disconnected', 'archived']) {
      const linked = await harness.link()
      await harness.set('connections', linked.id, { status })
      await harness.revoke(linked)
      expect(await requestStatus(linked, 'CONNECTED')).toMatchObject({ code: 'INVALID_CREDENTIALS' })
      expect(await command(linked, 'reconnectConnection')).toMatchObject({ code: 'INVALID_CREDENTIALS' })
      expect(await harness.row('connections', linked.id)).toMatchObject({ status })
      expect(await harness.events(linked, 'connection.')).toHaveLength(2)
    }
  })

  test('cannot be set to connected while the provider does not answer, with that error', async () => {
    const linked = await harness.link()
    await harness.fault(linked, { status: 500, count: 10, retryAfter: '0' })
    expect(await requestStatus(linked, 'CONNECTED')).toMatchObject({ code: 'BAD_GATEWAY' })
  })

  test('returns to connected after a cancelled deletion even with revoked credentials', async () => {
    const linked = await harness.link()
    await requestStatus(linked, 'delete')
    await harness.revoke(linked)
    expect(await requestStatus(linked, 'CONNECTED')).toMatchObject({ code: null })
    expect(await harness.row('connections', linked.id)).toMatchObject({ status: 'connected' })
  })

  test('cannot be set to a deletion status', async () => {
    const { client } = await harness.link()
    for (const status of ['PENDING_DELETION', 'DELETING', 'DELETED'])
      expect(await harness.mutate(client, 'updateConnection', { status }, 'connection { id }')).toMatchObject(
        {
          code: 'BAD_USER_INPUT',
          detail: [{ path: 'input.status' }],
        },
      )
  })

  test('keeps the time of the first deletion request', async () => {
    const linked = await harness.link()
    await requestStatus(linked, 'delete')
    const { deletionRequestedAt } = await harness.row('connections', linked.id)
    harness.moveClock(60_000)
    await requestStatus(linked, 'delete')
    expect(await harness.row('connections', linked.id)).toMatchObject({ deletionRequestedAt })
  })
})
