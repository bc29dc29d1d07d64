import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findReconnectableConnection } from '../../../../src/subgraphs/connections/linking/find-reconnectable.ts'
import { issuePublicToken } from '../../../../src/subgraphs/connections/tokens/issue-public-token.ts'
import type { transitions } from '../../../../src/subgraphs/connections/lifecycle/transitions.ts'
import { deleteDueConnectionData } from '../../../../src/sync/retention/delete-connection-data.ts'
import { dialects } from '../../../support/factories.ts'
import { DAY } from '../../../support/durations.ts'
import { ConnectionsHarness, type Linked } from '../../../support/harnesses/connections-harness.ts'

type Status = keyof typeof transitions

/** Error code; null for success. */
type Code = string | null
type Row = Readonly<Record<Status, Code>>

const UNPROCESSABLE = 'UNPROCESSABLE_ENTITY'

const always: Row = {
  connected: null,
  disconnected: null,
  archived: null,
  pending_deletion: null,
  deleting: null,
  deleted: null,
}
const untilDeletion: Row = { ...always, deleting: UNPROCESSABLE, deleted: UNPROCESSABLE }
const whileConnected: Row = {
  ...untilDeletion,
  disconnected: 'CONNECTION_DISCONNECTED',
  archived: UNPROCESSABLE,
  pending_deletion: UNPROCESSABLE,
}
const untilArchived: Row = {
  ...always,
  archived: 'NOT_FOUND',
  pending_deletion: 'NOT_FOUND',
  deleting: 'NOT_FOUND',
  deleted: 'NOT_FOUND',
}

/** Data that an operation needs, created while the connection is connected. */
interface Fixture {
  readonly failedSync: string
  readonly issue: string
  readonly publicToken: string
}

interface Operation {
  /** True if the operation needs a sync and an issue. */
  readonly needsSync?: boolean
  readonly codes: Row
  act(harness: ConnectionsHarness, linked: Linked, fixture: Fixture): Promise<Code>
}

const mutation =
  (name: string, selection: string, inputOf: (fixture: Fixture, linked: Linked) => object = () => ({})) =>
  async (harness: ConnectionsHarness, linked: Linked, fixture: Fixture): Promise<Code> =>
    (await harness.mutate(linked.client, name, inputOf(fixture, linked), selection)).code

const query =
  (text: string) =>
  async (harness: ConnectionsHarness, { client }: Linked): Promise<Code> =>
    (await harness.ask(client, text)).errors?.[0]?.extensions?.code ?? null

/** Every operation on a connection. The transitions test covers the changes of its status. */
const operations: Readonly<Record<string, Operation>> = {
  'read the connection': {
    codes: always,
    act: query('{ connection { id status token linkUrl deletedAt } }'),
  },
  'read stored records': { codes: always, act: query('{ vehicles(first: 1) { nodes { id } } }') },
  'read its events': { codes: always, act: query('{ events(first: 1) { nodes { id } } }') },
  'read its syncs': { codes: always, act: query('{ syncs(first: 1) { nodes { id } } }') },
  'read vehicle locations': {
    codes: whileConnected,
    act: query('{ vehicleLocations(first: 1) { nodes { locatedAt } } }'),
  },
  'read trailer locations': {
    codes: whileConnected,
    act: query('{ trailerLocations(first: 1) { nodes { locatedAt } } }'),
  },
  'read available hours': {
    codes: whileConnected,
    act: query('{ hosAvailableTimes(first: 1) { nodes { currentStatus } } }'),
  },
  'pass a request through': {
    codes: whileConnected,
    act: mutation('passthrough', 'response { statusCode }', () => ({ method: 'GET', path: '/account' })),
  },
  'request a sync': { codes: whileConnected, act: mutation('requestSync', 'sync { id }') },
  'retry a sync': {
    needsSync: true,
    codes: { ...whileConnected, deleted: 'NOT_FOUND' },
    act: mutation('retrySync', 'sync { id }', ({ failedSync: syncId }) => ({ syncId })),
  },
  'cancel an ended sync': {
    needsSync: true,
    codes: {
      connected: UNPROCESSABLE,
      disconnected: UNPROCESSABLE,
      archived: UNPROCESSABLE,
      pending_deletion: UNPROCESSABLE,
      deleting: UNPROCESSABLE,
      deleted: 'NOT_FOUND',
    },
    act: mutation('cancelSync', 'sync { id }', ({ failedSync: syncId }) => ({ syncId })),
  },
  'resolve an issue': {
    needsSync: true,
    codes: { ...untilDeletion, deleted: 'NOT_FOUND' },
    act: mutation('resolveIssue', 'issue { id }', ({ issue: issueId }) => ({ issueId })),
  },
  'change its tags and external id': {
    codes: untilDeletion,
    act: mutation('updateConnection', 'connection { id }', () => ({ tags: ['changed'], externalId: 'new' })),
  },
  'change its filters': {
    codes: untilDeletion,
    act: mutation('updateConnection', 'connection { id }', () => ({
      filters: { vehicles: { status: 'active' } },
    })),
  },
  'change its sync mode': {
    codes: untilDeletion,
    act: mutation('updateConnection', 'connection { id }', () => ({ syncMode: 'MANUAL' })),
  },
  'archive it': { codes: untilDeletion, act: mutation('archiveConnection', 'connection { id }') },
  'delete it': { codes: untilDeletion, act: mutation('deleteConnection', 'connection { id }') },
  'exchange a public token': {
    codes: { ...always, deleting: 'NOT_FOUND', deleted: 'NOT_FOUND' },
    async act(harness, { owner }, { publicToken }) {
      return (await harness.mutate(owner, 'exchangePublicToken', { publicToken }, 'connection { id }')).code
    },
  },
  'create a session': {
    codes: untilArchived,
    act: mutation('createSession', 'token', (_made, { id }) => ({ connectionIds: [id] })),
  },
  'open its link': {
    codes: { ...untilArchived, archived: null },
    async act({ db }, { id, applicationId }) {
      return (await findReconnectableConnection(db, { id: applicationId }, id)) === null ? 'NOT_FOUND' : null
    },
  },
}

const cells = Object.entries(operations).flatMap(([operation, { codes }]) =>
  (Object.keys(codes) as Status[]).map((status) => ({ operation, status, code: codes[status] })),
)

describe.each(dialects)('an operation on a connection on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  /** Brings a connection into a status through the real code. */
  async function moveTo(linked: Linked, status: Status): Promise<void> {
    if (status === 'connected') return
    if (status === 'disconnected' || status === 'archived') {
      const input = { status: status.toUpperCase() }
      await harness.mutate(linked.client, 'updateConnection', input, 'connection { id }')
      return
    }
    await harness.mutate(linked.client, 'deleteConnection', {}, 'message')
    if (status === 'pending_deletion') return
    harness.moveClock(DAY)
    const stopped = new Error('stopped')
    let reads = 0
    const rows = ((...args: Parameters<typeof harness.db.rows>) =>
      status === 'deleting' && reads++ > 0
        ? Promise.reject(stopped)
        : harness.db.rows(...args)) as typeof harness.db.rows
    await deleteDueConnectionData({ ...harness.tools, db: { ...harness.db, rows } }).catch(
      (error: unknown) => {
        if (error !== stopped) throw error
      },
    )
  }

  async function createFixture(linked: Linked, needsSync: boolean): Promise<Fixture> {
    // A public token is valid for half an hour, and a deletion takes a day.
    const publicToken = await issuePublicToken(harness.db, linked, harness.tools.clock.now() + DAY)
    if (!needsSync) return { failedSync: '', issue: '', publicToken }
    await harness.fault(linked, { path: '/groups', status: 403, count: 1 })
    await harness.sync(linked)
    const [issue] = await harness.db.rows<{ id: string }>(
      'SELECT `id` FROM `issues` WHERE `connectionId` = ?',
      [linked.id],
    )
    const failedSync = await harness.requestSync(linked)
    await harness.mutate(linked.client, 'cancelSync', { syncId: failedSync }, 'sync { id }')
    return { failedSync, issue: String(issue?.id), publicToken }
  }

  test.each(cells)('$operation, $status: $code', async ({ operation, status, code }) => {
    const { act, needsSync = false } = operations[operation] as Operation
    const linked = await harness.link()
    const before = await createFixture(linked, needsSync)
    await moveTo(linked, status)
    expect(await harness.row('connections', linked.id)).toMatchObject({ status })
    const events = await harness.events(linked, '')
    expect(await act(harness, linked, before)).toBe(code)
    if (code !== null) expect(await harness.events(linked, '')).toEqual(events)
    // Archives the connection, so that no deletion of another test finds it.
    await harness.set('connections', linked.id, { status: 'archived' })
  })
})
