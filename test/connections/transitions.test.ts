import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects } from '../factories.ts'
import { ConnectionsRig, type Linked } from './rig.ts'

type Status = 'connected' | 'disconnected' | 'archived' | 'pending_deletion' | 'deleting' | 'deleted'

interface Step {
  readonly from: Status
  readonly set: 'CONNECTED' | 'DISCONNECTED' | 'ARCHIVED' | 'delete'
  /** The state before the deletion was asked for. */
  readonly before?: Status
  readonly to: Status
  /** What is told beside the syncs; nothing where nothing changes. */
  readonly events: readonly string[]
  readonly refused?: true
}

const told = (...events: string[]) => events.map((event) => `connection.${event}`)
const gone = (from: Status): Step[] =>
  (['CONNECTED', 'DISCONNECTED', 'ARCHIVED', 'delete'] as const).map((set) => ({
    from,
    set,
    to: from,
    events: [],
    refused: true,
  }))

/** Interface 3.1 and gaps 2.1, as one table. */
const steps: readonly Step[] = [
  { from: 'connected', set: 'CONNECTED', to: 'connected', events: [] },
  { from: 'connected', set: 'DISCONNECTED', to: 'disconnected', events: told('disconnected') },
  { from: 'connected', set: 'ARCHIVED', to: 'archived', events: told('updated') },
  { from: 'connected', set: 'delete', to: 'pending_deletion', events: told('pending_deletion') },
  { from: 'disconnected', set: 'CONNECTED', to: 'connected', events: told('reconnected') },
  { from: 'disconnected', set: 'DISCONNECTED', to: 'disconnected', events: [] },
  { from: 'disconnected', set: 'ARCHIVED', to: 'archived', events: told('updated') },
  { from: 'disconnected', set: 'delete', to: 'pending_deletion', events: told('pending_deletion') },
  { from: 'archived', set: 'CONNECTED', to: 'connected', events: told('reconnected') },
  { from: 'archived', set: 'DISCONNECTED', to: 'disconnected', events: told('disconnected') },
  { from: 'archived', set: 'ARCHIVED', to: 'archived', events: [] },
  { from: 'archived', set: 'delete', to: 'pending_deletion', events: told('pending_deletion') },
  ...(['connected', 'disconnected', 'archived'] as const).map((before): Step => ({
    from: 'pending_deletion',
    before,
    set: 'CONNECTED',
    to: before,
    events: told('updated'),
  })),
  { from: 'pending_deletion', set: 'DISCONNECTED', to: 'disconnected', events: told('updated') },
  { from: 'pending_deletion', set: 'ARCHIVED', to: 'archived', events: told('updated') },
  { from: 'pending_deletion', set: 'delete', to: 'pending_deletion', events: [] },
  ...gone('deleting'),
  ...gone('deleted'),
]

describe.each(dialects)('the status of a connection on %s', (dialect) => {
  let rig: ConnectionsRig
  beforeAll(async () => void (rig = await ConnectionsRig.start(dialect)))
  afterAll(() => rig[Symbol.asyncDispose]())

  const take = ({ party }: Linked, set: Step['set']) =>
    set === 'delete'
      ? rig.mutate(party, 'deleteConnection', {}, 'connection { status updatedAt } message')
      : rig.mutate(party, 'updateConnection', { status: set }, 'connection { status updatedAt }')

  async function inState({ from, before = 'connected' }: Step): Promise<Linked> {
    const linked = await rig.link()
    const pending = from === 'pending_deletion'
    await rig.set('connections', linked.id, {
      status: from,
      statusBefore: pending ? before : null,
      deletionRequestedAt: pending ? rig.tools.clock.now() : null,
    })
    rig.moveClock(1000)
    return linked
  }

  test.each(steps)('$from (before: $before), $set: $to', async (step) => {
    const linked = await inState(step)
    const before = await rig.row('connections', linked.id)
    const { payload, code } = await take(linked, step.set)
    const after = await rig.row('connections', linked.id)
    expect(after['status']).toBe(step.to)
    expect((await rig.events(linked, 'connection.')).slice(2)).toEqual(step.events)
    if (step.refused) {
      expect(code).toBe('UNPROCESSABLE_ENTITY')
      expect(after).toEqual(before)
      return
    }
    expect(code).toBeNull()
    expect(payload.connection.status).toBe(step.to.toUpperCase())
    expect(Number(after['updatedAt']) > Number(before['updatedAt'])).toBe(step.events.length > 0)
    if (step.to !== 'pending_deletion')
      expect(after).toMatchObject({ statusBefore: null, deletionRequestedAt: null })
  })

  test.each(steps.filter(({ from, to }) => from === 'connected' && to !== 'connected'))(
    '$set cancels what is being synced',
    async (step) => {
      const linked = await rig.link()
      const syncId = await rig.requestSync(linked)
      await take(linked, step.set)
      expect(await rig.row('syncs', syncId)).toMatchObject({
        status: 'failed',
        failureReason: 'Cancelled.',
        leaseOwner: null,
      })
      expect(await rig.events(linked, 'sync.')).toEqual(['sync.requested', 'sync.failed'])
    },
  )

  test('is not set to connected while the provider refuses the credentials', async () => {
    for (const status of ['connected', 'disconnected', 'archived']) {
      const linked = await rig.link()
      await rig.set('connections', linked.id, { status })
      await rig.revoke(linked)
      expect(await take(linked, 'CONNECTED')).toMatchObject({ code: 'INVALID_CREDENTIALS' })
      expect(await rig.row('connections', linked.id)).toMatchObject({ status })
      expect(await rig.events(linked, 'connection.')).toHaveLength(2)
    }
  })

  test('is not set to connected while the provider does not answer, and that is told as the reason', async () => {
    const linked = await rig.link()
    await rig.fault(linked, { status: 500, count: 10, retryAfter: '0' })
    expect(await take(linked, 'CONNECTED')).toMatchObject({ code: 'BAD_GATEWAY' })
  })

  test('goes back whatever the credentials are worth when a deletion is called off', async () => {
    const linked = await rig.link()
    await take(linked, 'delete')
    await rig.revoke(linked)
    expect(await take(linked, 'CONNECTED')).toMatchObject({ code: null })
    expect(await rig.row('connections', linked.id)).toMatchObject({ status: 'connected' })
  })

  test('can be set to nothing else', async () => {
    const { party } = await rig.link()
    for (const status of ['PENDING_DELETION', 'DELETING', 'DELETED'])
      expect(await rig.mutate(party, 'updateConnection', { status }, 'connection { id }')).toMatchObject({
        code: 'BAD_USER_INPUT',
        detail: [{ path: 'input.status' }],
      })
  })

  test('asked for deletion again keeps the time of the first request', async () => {
    const linked = await rig.link()
    await take(linked, 'delete')
    const { deletionRequestedAt } = await rig.row('connections', linked.id)
    rig.moveClock(60_000)
    await take(linked, 'delete')
    expect(await rig.row('connections', linked.id)).toMatchObject({ deletionRequestedAt })
  })
})
