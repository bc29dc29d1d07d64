import { describe, expect, test } from 'vitest'
import { keyHolder } from '../../src/auth/caller.ts'
import { outgoing } from '../../src/outgoing/outgoing.ts'
import { createEndpoint } from '../../src/subgraphs/events/webhooks/endpoints/create-endpoint.ts'
import { findDue } from '../../src/sync/schedule/find-due.ts'
import { scheduleMissing } from '../../src/sync/schedule/schedule.ts'
import { type Courier, startCourier } from '../../src/webhooks/courier/courier.ts'
import { dispatcher } from '../../src/webhooks/dispatch.ts'
import { HOUR } from '../connections/durations.ts'
import { ConnectionsRig, type Linked } from '../connections/rig.ts'
import { dialects } from '../factories.ts'
import { LOOPBACK } from '../prove/webhook-endpoints.ts'
import { eventually } from '../sync/rig.ts'
import { Inbox } from './inbox.ts'

const CADENCE = { pollMs: 60_000, syncMs: HOUR }

/** A connection that is really synced, whose events are really sent. */
class ArchivedRig implements AsyncDisposable {
  private readonly events
  private courier: Courier | null = null

  private constructor(
    readonly rig: ConnectionsRig,
    readonly inbox: Inbox,
    readonly linked: Linked,
  ) {
    this.events = dispatcher(rig.db, rig.tools.doorbell, rig.tools.log)
  }

  static async start(dialect: (typeof dialects)[number]): Promise<ArchivedRig> {
    const rig = await ConnectionsRig.start(dialect)
    const inbox = await Inbox.start()
    const linked = await rig.link()
    const { db, secrets, doorbell, clock } = rig.tools
    const outgoingRules = { allowPrivate: [LOOPBACK], requireHttps: true, permittedBy: 'WEBHOOK_ALLOW' }
    const from = { db, secrets, doorbell, clock, outgoingRules }
    await createEndpoint(from, keyHolder(linked.applicationId), { url: inbox.url, retrySeconds: [60, 60] })
    return new ArchivedRig(rig, inbox, linked)
  }

  begin(): void {
    const { db, ...tools } = this.rig.tools
    const outside = outgoing({ allowPrivate: [LOOPBACK], requireHttps: false, permittedBy: 'WEBHOOK_ALLOW' })
    const linkUrl = () => 'https://link.example.com'
    this.courier = startCourier({
      ...tools,
      db: db.inBackground(),
      outgoing: outside,
      linkUrl,
      drainMs: 2000,
    })
  }

  async pause(): Promise<void> {
    await this.courier?.close()
    this.courier = null
  }

  set = (status: 'ARCHIVED' | 'CONNECTED') =>
    this.rig.mutate(this.linked.party, 'updateConnection', { status }, 'connection { id }')

  types = (from = 0): string[] => this.inbox.received.slice(from).map(({ event }) => event.type)

  /** Waits until a receiver has been told of something, and places what there is to tell. */
  async told(type: string, times = 1): Promise<void> {
    await this.events.dispatch()
    await this.inbox.until(() => this.types().filter((one) => one === type).length >= times)
  }

  /** All of the log has been offered to the endpoint. */
  async offered(): Promise<void> {
    await this.events.dispatch()
    await eventually(async () => {
      const [row] = await this.rig.db.rows<{ behind: number }>(
        'SELECT h.`position` - p.`position` AS behind FROM `webhook_progress` AS p JOIN `log_heads` AS h ON h.`applicationId` = p.`applicationId`',
      )
      return Number(row?.behind) === 0
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pause()
    await this.events.close()
    await this.inbox[Symbol.asyncDispose]()
    await this.rig[Symbol.asyncDispose]()
  }
}

describe.each(dialects)('webhooks of an archived connection on %s', (dialect) => {
  test('stop telling of its data, and go on with what comes once it is connected again', async () => {
    await using archived = await ArchivedRig.start(dialect)
    const { rig, linked } = archived
    archived.begin()
    await rig.sync(linked)
    await archived.told('sync.completed')
    await archived.offered()
    expect(archived.types().filter((type) => type === 'vehicle.added')).toHaveLength(3)

    await archived.pause()
    rig.moveClock(HOUR)
    await rig.sync(linked)
    const before = archived.types().length
    await archived.set('ARCHIVED')
    archived.begin()
    await archived.told('connection.updated')
    await archived.offered()
    expect(archived.types(before)).toEqual(['connection.updated'])

    await archived.set('CONNECTED')
    await archived.told('connection.reconnected')
    rig.moveClock(HOUR)
    await rig.sync(linked)
    await archived.told('sync.completed', 2)
    await archived.offered()
    const after = archived.types(before)
    expect(after.filter((type) => type.startsWith('connection.'))).toEqual([
      'connection.updated',
      'connection.reconnected',
    ])
    expect(after.filter((type) => type === 'sync.completed')).toHaveLength(1)
  })

  test('give up what of its data was to be sent again, and send what is told of itself', async () => {
    await using archived = await ArchivedRig.start(dialect)
    const { rig, linked, inbox } = archived
    await rig.sync(linked)
    inbox.react = () => ({ status: 500 })
    archived.begin()
    const statuses = async () => {
      const rows = await rig.db.rows<{ type: string; status: string }>(
        'SELECT `type`, `status` FROM `webhook_deliveries`',
      )
      return rows.map(({ type, status }) => `${type.replace(/\..*/, '')} ${status}`)
    }
    await archived.told('connection.first_sync_completed')
    await archived.pause()
    await archived.set('ARCHIVED')
    const refused = inbox.received.length
    inbox.react = () => ({ status: 204 })
    archived.begin()
    await eventually(async () => {
      rig.moveClock(61_000)
      await archived.offered()
      return (await statuses()).every((line) => !line.endsWith('pending'))
    })
    const all = await statuses()
    const [itself, data] = [true, false].map(
      (wanted) => new Set(all.filter((line) => line.startsWith('connection ') === wanted)),
    )
    expect(itself).toEqual(new Set(['connection delivered']))
    expect([...(data ?? [])].filter((line) => !line.endsWith(' cancelled'))).toEqual([])
    expect(data?.size).toBeGreaterThan(0)
    const kinds = new Set(archived.types(refused).map((type) => type.replace(/\..*/, '')))
    expect(kinds).toEqual(new Set(['connection']))
  })

  test('have nothing to tell: it is neither polled nor synced', async () => {
    await using archived = await ArchivedRig.start(dialect)
    const { rig, linked } = archived
    await rig.sync(linked)
    await scheduleMissing(rig.tools, CADENCE)
    const syncId = await rig.requestSync(linked)
    await archived.set('ARCHIVED')
    const told = await rig.events(linked, '')
    rig.moveClock(3 * HOUR)
    rig.added.length = 0
    await findDue(rig.tools, CADENCE)
    await rig.run(syncId)
    expect(rig.added.filter((job) => job.includes(linked.id))).toEqual([])
    expect(await rig.events(linked, '')).toEqual(told)
    expect(await rig.row('syncs', syncId)).toMatchObject({ status: 'failed' })
    expect(await rig.mutate(linked.party, 'requestSync', {}, 'sync { id }')).toMatchObject({
      code: 'UNPROCESSABLE_ENTITY',
    })
  })
})
