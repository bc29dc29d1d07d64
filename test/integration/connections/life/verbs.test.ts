import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findReconnectableConnection } from '../../../../src/subgraphs/connections/linking/find-reconnectable.ts'
import { issuePublicToken } from '../../../../src/subgraphs/connections/tokens/issue-public-token.ts'
import type { transitions } from '../../../../src/subgraphs/connections/lifecycle/transitions.ts'
import { deleteDueConnectionData } from '../../../../src/sync/retention/delete-connection-data.ts'
import { dialects } from '../../../support/factories.ts'
import { DAY } from '../../../support/durations.ts'
import { ConnectionsHarness, type Linked } from '../../../support/connections-harness.ts'

type Status = keyof typeof transitions

/** The code of the refusal; null where it is done. */
type Code = string | null
type Row = Readonly<Record<Status, Code>>

const UNPROCESSABLE = 'UNPROCESSABLE_ENTITY'

const everywhere: Row = {
  connected: null,
  disconnected: null,
  archived: null,
  pending_deletion: null,
  deleting: null,
  deleted: null,
}
const untilGone: Row = { ...everywhere, deleting: UNPROCESSABLE, deleted: UNPROCESSABLE }
const whileAsked: Row = {
  ...untilGone,
  disconnected: 'CONNECTION_DISCONNECTED',
  archived: UNPROCESSABLE,
  pending_deletion: UNPROCESSABLE,
}
const whileOpen: Row = {
  ...everywhere,
  archived: 'NOT_FOUND',
  pending_deletion: 'NOT_FOUND',
  deleting: 'NOT_FOUND',
  deleted: 'NOT_FOUND',
}

/** What a verb needs that was made while the connection was connected. */
interface Made {
  readonly failedSync: string
  readonly issue: string
  readonly publicToken: string
}

interface Verb {
  /** Whether it needs a sync and an issue. */
  readonly isOfSyncs?: boolean
  readonly codes: Row
  act(harness: ConnectionsHarness, linked: Linked, made: Made): Promise<Code>
}

const mutation =
  (name: string, selection: string, inputOf: (made: Made, linked: Linked) => object = () => ({})) =>
  async (harness: ConnectionsHarness, linked: Linked, made: Made): Promise<Code> =>
    (await harness.mutate(linked.party, name, inputOf(made, linked), selection)).code

const query =
  (text: string) =>
  async (harness: ConnectionsHarness, { party }: Linked): Promise<Code> =>
    (await harness.ask(party, text)).errors?.[0]?.extensions?.code ?? null

/** Whatever else can be done with a connection: what leads it to other states is walked by the transitions. */
const verbs: Readonly<Record<string, Verb>> = {
  'read itself': { codes: everywhere, act: query('{ connection { id status token linkUrl deletedAt } }') },
  'read what is stored': { codes: everywhere, act: query('{ vehicles(first: 1) { nodes { id } } }') },
  'read the log': { codes: everywhere, act: query('{ events(first: 1) { nodes { id } } }') },
  'read its syncs': { codes: everywhere, act: query('{ syncs(first: 1) { nodes { id } } }') },
  'read where vehicles are': {
    codes: whileAsked,
    act: query('{ vehicleLocations(first: 1) { nodes { locatedAt } } }'),
  },
  'read where trailers are': {
    codes: whileAsked,
    act: query('{ trailerLocations(first: 1) { nodes { locatedAt } } }'),
  },
  'read the clocks of drivers': {
    codes: whileAsked,
    act: query('{ hosAvailableTimes(first: 1) { nodes { currentStatus } } }'),
  },
  'pass a request through': {
    codes: whileAsked,
    act: mutation('passthrough', 'response { statusCode }', () => ({ method: 'GET', path: '/account' })),
  },
  'ask for a sync': { codes: whileAsked, act: mutation('requestSync', 'sync { id }') },
  'retry a sync': {
    isOfSyncs: true,
    codes: { ...whileAsked, deleted: 'NOT_FOUND' },
    act: mutation('retrySync', 'sync { id }', ({ failedSync: syncId }) => ({ syncId })),
  },
  'cancel a sync that has ended': {
    isOfSyncs: true,
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
    isOfSyncs: true,
    codes: { ...untilGone, deleted: 'NOT_FOUND' },
    act: mutation('resolveIssue', 'issue { id }', ({ issue: issueId }) => ({ issueId })),
  },
  'change its words': {
    codes: untilGone,
    act: mutation('updateConnection', 'connection { id }', () => ({ tags: ['changed'], externalId: 'new' })),
  },
  'change what is shown of it': {
    codes: untilGone,
    act: mutation('updateConnection', 'connection { id }', () => ({
      filters: { vehicles: { status: 'active' } },
    })),
  },
  'change how it is synced': {
    codes: untilGone,
    act: mutation('updateConnection', 'connection { id }', () => ({ syncMode: 'MANUAL' })),
  },
  'archive it': { codes: untilGone, act: mutation('archiveConnection', 'connection { id }') },
  'delete it': { codes: untilGone, act: mutation('deleteConnection', 'connection { id }') },
  'exchange a public token': {
    codes: { ...everywhere, deleting: 'NOT_FOUND', deleted: 'NOT_FOUND' },
    async act(harness, { owner }, { publicToken }) {
      return (await harness.mutate(owner, 'exchangePublicToken', { publicToken }, 'connection { id }')).code
    },
  },
  'make a session of it': {
    codes: whileOpen,
    act: mutation('createSession', 'token', (_made, { id }) => ({ connectionIds: [id] })),
  },
  'open its link': {
    codes: { ...whileOpen, archived: null },
    async act({ db }, { id, applicationId }) {
      return (await findReconnectableConnection(db, { id: applicationId }, id)) === null ? 'NOT_FOUND' : null
    },
  },
}

const cells = Object.entries(verbs).flatMap(([verb, { codes }]) =>
  (Object.keys(codes) as Status[]).map((status) => ({ verb, status, code: codes[status] })),
)

describe.each(dialects)('what can be done with a connection on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  /** Takes a connection to a state as it really gets there. */
  async function lead(linked: Linked, status: Status): Promise<void> {
    if (status === 'connected') return
    if (status === 'disconnected' || status === 'archived') {
      const input = { status: status.toUpperCase() }
      await harness.mutate(linked.party, 'updateConnection', input, 'connection { id }')
      return
    }
    await harness.mutate(linked.party, 'deleteConnection', {}, 'message')
    if (status === 'pending_deletion') return
    harness.moveClock(DAY)
    const stopped = new Error('stopped')
    let reads = 0
    const rows = ((...given: Parameters<typeof harness.db.rows>) =>
      status === 'deleting' && reads++ > 0
        ? Promise.reject(stopped)
        : harness.db.rows(...given)) as typeof harness.db.rows
    await deleteDueConnectionData({ ...harness.tools, db: { ...harness.db, rows } }).catch(
      (error: unknown) => {
        if (error !== stopped) throw error
      },
    )
  }

  async function made(linked: Linked, isOfSyncs: boolean): Promise<Made> {
    // It is good for half an hour, and a deletion takes a day.
    const publicToken = await issuePublicToken(harness.db, linked, harness.tools.clock.now() + DAY)
    if (!isOfSyncs) return { failedSync: '', issue: '', publicToken }
    await harness.fault(linked, { path: '/groups', status: 403, count: 1 })
    await harness.sync(linked)
    const [issue] = await harness.db.rows<{ id: string }>(
      'SELECT `id` FROM `issues` WHERE `connectionId` = ?',
      [linked.id],
    )
    const failedSync = await harness.requestSync(linked)
    await harness.mutate(linked.party, 'cancelSync', { syncId: failedSync }, 'sync { id }')
    return { failedSync, issue: String(issue?.id), publicToken }
  }

  test.each(cells)('$verb, $status: $code', async ({ verb, status, code }) => {
    const { act, isOfSyncs = false } = verbs[verb] as Verb
    const linked = await harness.link()
    const before = await made(linked, isOfSyncs)
    await lead(linked, status)
    expect(await harness.row('connections', linked.id)).toMatchObject({ status })
    const told = await harness.events(linked, '')
    expect(await act(harness, linked, before)).toBe(code)
    if (code !== null) expect(await harness.events(linked, '')).toEqual(told)
    // What is left half deleted is not found by the deletions of other tests.
    await harness.set('connections', linked.id, { status: 'archived' })
  })
})
