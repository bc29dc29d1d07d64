import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../../../src/providers/provider.ts'
import { reconnectConnection } from '../../../../src/subgraphs/connections/lifecycle/reconnect-connection.ts'
import { linkAccount } from '../../../../src/subgraphs/connections/lifecycle/link-connection.ts'
import type { transitions, Trigger } from '../../../../src/subgraphs/connections/lifecycle/transitions.ts'
import { pollConnection } from '../../../../src/sync/poll-connection.ts'
import { deleteDueConnectionData } from '../../../../src/sync/retention/delete-connection-data.ts'
import { ConnectionCache } from '../../../../src/webhooks/worker/connection-cache.ts'
import { dialects } from '../../../support/factories.ts'
import { DAY } from '../../../support/durations.ts'
import { ConnectionsHarness, type Linked } from '../../../support/connections-harness.ts'

type Status = `${keyof typeof transitions}`

/** What a cell of the table comes to: the state afterwards and what is told of the connection. */
type Cell = readonly [to: Status | 'before', ...events: string[]] | 'nothing' | 'refused'

const reconnected: Cell = ['connected', 'reconnected']
const disconnected: Cell = ['disconnected', 'disconnected']
const archived: Cell = ['archived', 'updated']
const pending: Cell = ['pending_deletion', 'pending_deletion']
const gone = {
  set_connected: 'refused',
  set_disconnected: 'refused',
  set_archived: 'refused',
  ask_deletion: 'refused',
  link_again: 'nothing',
  sign_in: 'refused',
  refuse_credentials: 'nothing',
  begin_deletion: 'nothing',
  end_deletion: 'nothing',
} as const

/** Interface 3.1 and gaps 2.1, as one table: a state or a trigger without its row does not compile. */
const cells: Readonly<Record<Status, Readonly<Record<Trigger, Cell>>>> = {
  connected: {
    set_connected: 'nothing',
    set_disconnected: disconnected,
    set_archived: archived,
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
    ask_deletion: 'nothing',
    link_again: 'nothing',
    sign_in: 'refused',
    refuse_credentials: 'nothing',
    begin_deletion: ['deleting'],
    end_deletion: 'nothing',
  },
  deleting: { ...gone, end_deletion: ['deleted', 'deleted'] },
  deleted: gone,
}

interface Effect {
  /** Why its provider is not asked; null where it is. */
  readonly live: string | null
  readonly tellsData: boolean
  readonly opensSessions: boolean
}

const quiet: Effect = { live: 'UNPROCESSABLE_ENTITY', tellsData: false, opensSessions: false }

/** What holds in a state, whatever led there. */
const effects: Readonly<Record<Status, Effect>> = {
  connected: { live: null, tellsData: true, opensSessions: true },
  disconnected: { live: 'CONNECTION_DISCONNECTED', tellsData: true, opensSessions: true },
  archived: quiet,
  pending_deletion: quiet,
  deleting: quiet,
  deleted: quiet,
}

const statuses = Object.keys(cells) as Status[]
const all = statuses.flatMap((from) =>
  (Object.keys(cells[from]) as Trigger[]).map((trigger) => ({ from, trigger, cell: cells[from][trigger] })),
)

const account: Account = { sourceId: 'acc-1', name: 'Acme', dotNumbers: [], user: {}, timeZone: null }

describe.each(dialects)('the life of a connection on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())
  // What one test leaves to the worker that deletes is not found by the next.
  afterEach(() => harness.db.transaction((tx) => tx.run("UPDATE `connections` SET `status` = 'archived'")))

  const take = ({ party }: Linked, set: 'CONNECTED' | 'DISCONNECTED' | 'ARCHIVED' | 'delete') =>
    set === 'delete'
      ? harness.mutate(party, 'deleteConnection', {}, 'connection { status updatedAt } message')
      : harness.mutate(party, 'updateConnection', { status: set }, 'connection { status updatedAt }')

  const again = { account, credentials: { apiKey: 'sandbox-3-77' } }

  /** What really does it; gives the code of a refusal. */
  const triggers: Readonly<Record<Trigger, (linked: Linked, syncId: string) => Promise<unknown>>> = {
    set_connected: async (linked) => (await take(linked, 'CONNECTED')).code,
    set_disconnected: async (linked) => (await take(linked, 'DISCONNECTED')).code,
    set_archived: async (linked) => (await take(linked, 'ARCHIVED')).code,
    ask_deletion: async (linked) => (await take(linked, 'delete')).code,
    async link_again({ applicationId }) {
      const provider = harness.tools.registry.find('sandbox')
      if (!provider) throw new Error('there is no sandbox')
      await linkAccount(harness.tools, { applicationId, provider, ...again })
    },
    sign_in: ({ id: connectionId, applicationId }) =>
      reconnectConnection(harness.tools, {
        applicationId,
        connectionId,
        ...again,
        actor: { kind: 'fleet', id: null },
      }).then(
        () => null,
        ({ code }: { code: string }) => code.toUpperCase(),
      ),
    async refuse_credentials(linked, syncId) {
      await harness.revoke(linked)
      await harness.run(syncId)
    },
    begin_deletion: (linked) => deletionOf(linked, 'deleteData'),
    end_deletion: (linked) => deletionOf(linked),
  }

  /** The worker that deletes, a day later; it can be stopped as soon as there is no way back. */
  async function deletionOf(linked: Linked, until?: 'deleteData'): Promise<void> {
    const row = await harness.row('connections', linked.id)
    const asked = { deletionRequestedAt: harness.tools.clock.now() - (until ? DAY : 0) }
    if (row['status'] === 'pending_deletion') await harness.set('connections', linked.id, asked)
    const stopped = new Error('stopped')
    const rows = until ? () => Promise.reject(stopped) : harness.db.rows
    let reads = 0
    const db = {
      ...harness.db,
      rows: ((...given: Parameters<typeof harness.db.rows>) =>
        reads++ === 0 ? harness.db.rows(...given) : rows(...given)) as typeof harness.db.rows,
    }
    await deleteDueConnectionData({ ...harness.tools, db }).catch((error: unknown) => {
      if (error !== stopped) throw error
    })
  }

  async function inState(from: Status, before: Status = 'connected'): Promise<[Linked, string]> {
    const linked = await harness.link(undefined, { account })
    await harness.set('applications', linked.applicationId, { mergesConnections: 1 })
    const syncId = await harness.requestSync(linked)
    const marked = from === 'pending_deletion'
    await harness.set('connections', linked.id, {
      status: from,
      statusBefore: marked ? before : null,
      deletionRequestedAt: marked ? harness.tools.clock.now() : null,
    })
    harness.moveClock(1000)
    return [linked, syncId]
  }

  async function effectOf({ id, owner, party }: Linked): Promise<Effect> {
    const { errors } = await harness.ask(party, '{ vehicleLocations(first: 1) { nodes { locatedAt } } }')
    const connections = new ConnectionCache(harness.db, harness.tools.clock)
    const wanted = (storedType: string) =>
      connections.isWanted({ tags: null }, {
        storedType,
        delivery: { connectionId: id, position: 1 },
      } as Parameters<typeof connections.isWanted>[1])
    const kinds = ['vehicle.added', 'sync.completed', 'connection.updated', 'connection.deleted']
    const [data, syncs, ...itself] = await Promise.all(kinds.map(wanted))
    expect([syncs, ...itself]).toEqual([data, true, true])
    const session = await harness.mutate(owner, 'createSession', { connectionIds: [id] }, 'token')
    return {
      live: errors?.[0]?.extensions?.code ?? null,
      tellsData: data === true,
      opensSessions: session.code === null,
    }
  }

  /** How many entries of the audit log are of it. */
  async function actsOn({ id }: Linked): Promise<number> {
    return (await harness.db.rows('SELECT `id` FROM `audit_log` WHERE `targetId` = ?', [id])).length
  }

  test.each(all)('$from, $trigger', async ({ from, trigger, cell }) => {
    const [linked, syncId] = await inState(from)
    const before = await harness.row('connections', linked.id)
    const told = (await harness.events(linked, '')).length
    const acts = await actsOn(linked)
    const code = await triggers[trigger](linked, syncId)
    const after = await harness.row<{ status: Status; updatedAt: number }>('connections', linked.id)
    const events = (await harness.events(linked, '')).slice(cell[0] === 'deleted' ? 0 : told)
    const itself = events.filter((type) => type.startsWith('connection.'))

    const hasMoved = cell !== 'nothing' && cell !== 'refused'
    expect((await actsOn(linked)) - acts).toBe(hasMoved ? 1 : 0)
    if (!hasMoved) {
      expect(after).toMatchObject({ ...before, deletionRequestedAt: after['deletionRequestedAt' as never] })
      expect(itself).toEqual([])
      expect(code ?? null).toBe(cell === 'refused' ? 'UNPROCESSABLE_ENTITY' : null)
      expect(await effectOf(linked)).toEqual(effects[from])
      return
    }
    const [to, ...kinds] = cell
    const reached = to === 'before' ? 'connected' : to
    expect(code ?? null).toBeNull()
    expect(after.status).toBe(reached)
    expect(itself).toEqual(kinds.map((kind) => `connection.${kind}`))
    expect(Number(after.updatedAt)).toBeGreaterThan(Number(before['updatedAt']))
    expect(await effectOf(linked)).toEqual(effects[reached])
    // Asking stops with it, whatever is under way; what was unfinished before stays so.
    const stops = from === 'connected' && reached !== 'connected'
    if (reached !== 'deleted')
      expect(await harness.row('syncs', syncId)).toMatchObject({ status: stops ? 'failed' : 'requested' })
    expect(events.filter((type) => type === 'sync.failed')).toHaveLength(stops ? 1 : 0)
  })

  test.each(['connected', 'disconnected', 'archived'] as const)(
    'that was %s is so again when its deletion is called off',
    async (before) => {
      const [linked] = await inState('pending_deletion', before)
      await take(linked, 'CONNECTED')
      expect(await harness.row('connections', linked.id)).toMatchObject({
        status: before,
        statusBefore: null,
        deletionRequestedAt: null,
      })
      expect((await harness.events(linked, 'connection.')).slice(2)).toEqual(['connection.updated'])
    },
  )

  test('polls only the connected', async () => {
    for (const status of statuses) {
      const [linked] = await inState(status)
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

  test('that is signed in to while a sync runs is not disconnected by the old credentials', async () => {
    const [linked, syncId] = await inState('connected')
    await harness.fault(linked, { path: '/vehicles', status: 401, count: 1 })
    harness.adapt = (adapter) => {
      const reader = adapter.readers.Vehicle as NonNullable<typeof adapter.readers.Vehicle>
      const read: typeof reader.read = async (...given) => {
        await triggers.sign_in(linked, syncId)
        return reader.read(...given)
      }
      return { ...adapter, readers: { ...adapter.readers, Vehicle: { ...reader, read } } }
    }
    await harness.run(syncId)
    harness.adapt = (adapter) => adapter
    expect(await harness.row('connections', linked.id)).toMatchObject({ status: 'connected' })
    expect(await harness.row('syncs', syncId)).toMatchObject({ status: 'completed' })
    expect(await harness.events(linked, 'connection.disconnected')).toEqual([])
  })

  test('is not set to connected while the provider refuses the credentials', async () => {
    for (const status of ['connected', 'disconnected', 'archived']) {
      const linked = await harness.link()
      await harness.set('connections', linked.id, { status })
      await harness.revoke(linked)
      expect(await take(linked, 'CONNECTED')).toMatchObject({ code: 'INVALID_CREDENTIALS' })
      expect(await harness.row('connections', linked.id)).toMatchObject({ status })
      expect(await harness.events(linked, 'connection.')).toHaveLength(2)
    }
  })

  test('is not set to connected while the provider does not answer, and that is told as the reason', async () => {
    const linked = await harness.link()
    await harness.fault(linked, { status: 500, count: 10, retryAfter: '0' })
    expect(await take(linked, 'CONNECTED')).toMatchObject({ code: 'BAD_GATEWAY' })
  })

  test('goes back whatever the credentials are worth when a deletion is called off', async () => {
    const linked = await harness.link()
    await take(linked, 'delete')
    await harness.revoke(linked)
    expect(await take(linked, 'CONNECTED')).toMatchObject({ code: null })
    expect(await harness.row('connections', linked.id)).toMatchObject({ status: 'connected' })
  })

  test('can be set to nothing else', async () => {
    const { party } = await harness.link()
    for (const status of ['PENDING_DELETION', 'DELETING', 'DELETED'])
      expect(await harness.mutate(party, 'updateConnection', { status }, 'connection { id }')).toMatchObject({
        code: 'BAD_USER_INPUT',
        detail: [{ path: 'input.status' }],
      })
  })

  test('asked for deletion again keeps the time of the first request', async () => {
    const linked = await harness.link()
    await take(linked, 'delete')
    const { deletionRequestedAt } = await harness.row('connections', linked.id)
    harness.moveClock(60_000)
    await take(linked, 'delete')
    expect(await harness.row('connections', linked.id)).toMatchObject({ deletionRequestedAt })
  })
})
