import { describe, expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import { createOutboundHttp } from '../../../src/platform/outbound-http/outbound-http.ts'
import { createEndpoint } from '../../../src/subgraphs/events/webhooks/endpoints/create-endpoint.ts'
import { enqueueDue } from '../../../src/sync/schedule/enqueue-due.ts'
import { scheduleMissing } from '../../../src/sync/schedule/schedule.ts'
import { type DeliveryWorker, startDeliveryWorker } from '../../../src/webhooks/worker/delivery-worker.ts'
import { startEventSequencer } from '../../../src/webhooks/event-sequencer.ts'
import { HOUR } from '../../support/durations.ts'
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'
import { dialects } from '../../support/factories.ts'
import { LOOPBACK } from '../../prove/support/webhook-endpoints.ts'
import { eventually } from '../../support/sync/sync-harness.ts'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'

const CADENCE = { pollMs: 60_000, syncMs: HOUR }

/** A connection with real syncs and real webhook deliveries. */
class ArchivedHarness implements AsyncDisposable {
  private readonly sequencer
  private worker: DeliveryWorker | null = null

  private constructor(
    readonly harness: ConnectionsHarness,
    readonly inbox: WebhookInbox,
    readonly linked: Linked,
  ) {
    this.sequencer = startEventSequencer(harness.db, harness.tools.notifier, harness.tools.log)
  }

  static async start(dialect: (typeof dialects)[number]): Promise<ArchivedHarness> {
    const harness = await ConnectionsHarness.start(dialect)
    const inbox = await WebhookInbox.start()
    const linked = await harness.link()
    const { db, secrets, notifier, clock } = harness.tools
    const outgoingRules = { allowPrivate: [LOOPBACK], requireHttps: true, permittedBy: 'WEBHOOK_ALLOW' }
    const deps = { db, secrets, notifier, clock, outgoingRules }
    await createEndpoint(deps, keyHolder(linked.applicationId), { url: inbox.url, retrySeconds: [60, 60] })
    return new ArchivedHarness(harness, inbox, linked)
  }

  startWorker(): void {
    const { db, ...tools } = this.harness.tools
    const outboundHttp = createOutboundHttp({
      allowPrivate: [LOOPBACK],
      requireHttps: false,
      permittedBy: 'WEBHOOK_ALLOW',
    })
    const linkUrl = () => 'https://link.example.com'
    this.worker = startDeliveryWorker({
      ...tools,
      db: db.inBackground(),
      outboundHttp,
      linkUrl,
      drainMs: 2000,
    })
  }

  async stopWorker(): Promise<void> {
    await this.worker?.close()
    this.worker = null
  }

  setStatus = (status: 'ARCHIVED' | 'CONNECTED') =>
    this.harness.mutate(this.linked.client, 'updateConnection', { status }, 'connection { id }')

  types = (from = 0): string[] => this.inbox.received.slice(from).map(({ event }) => event.type)

  /** Assigns positions to new events and waits until the receiver has events of a type. */
  async untilReceived(type: string, times = 1): Promise<void> {
    await this.sequencer.assignPositions()
    await this.inbox.until(() => this.types().filter((one) => one === type).length >= times)
  }

  /** Waits until the progress of the endpoint has reached the end of the log. */
  async untilCaughtUp(): Promise<void> {
    await this.sequencer.assignPositions()
    await eventually(async () => {
      const [row] = await this.harness.db.rows<{ behind: number }>(
        'SELECT h.`position` - p.`position` AS behind FROM `webhook_progress` AS p JOIN `log_heads` AS h ON h.`applicationId` = p.`applicationId`',
      )
      return Number(row?.behind) === 0
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopWorker()
    await this.sequencer.close()
    await this.inbox[Symbol.asyncDispose]()
    await this.harness[Symbol.asyncDispose]()
  }
}

describe.each(dialects)('webhooks of an archived connection on %s', (dialect) => {
  test('carry no data of it, and continue with new events once it is connected again', async () => {
    await using archived = await ArchivedHarness.start(dialect)
    const { harness, linked } = archived
    archived.startWorker()
    await harness.sync(linked)
    await archived.untilReceived('sync.completed')
    await archived.untilCaughtUp()
    expect(archived.types().filter((type) => type === 'vehicle.added')).toHaveLength(3)

    await archived.stopWorker()
    harness.moveClock(HOUR)
    await harness.sync(linked)
    const before = archived.types().length
    await archived.setStatus('ARCHIVED')
    archived.startWorker()
    await archived.untilReceived('connection.updated')
    await archived.untilCaughtUp()
    expect(archived.types(before)).toEqual(['connection.updated'])

    await archived.setStatus('CONNECTED')
    await archived.untilReceived('connection.reconnected')
    harness.moveClock(HOUR)
    await harness.sync(linked)
    await archived.untilReceived('sync.completed', 2)
    await archived.untilCaughtUp()
    const after = archived.types(before)
    expect(after.filter((type) => type.startsWith('connection.'))).toEqual([
      'connection.updated',
      'connection.reconnected',
    ])
    expect(after.filter((type) => type === 'sync.completed')).toHaveLength(1)
  })

  test('cancel retries of its data, and send events of the connection itself', async () => {
    await using archived = await ArchivedHarness.start(dialect)
    const { harness, linked, inbox } = archived
    await harness.sync(linked)
    inbox.react = () => ({ status: 500 })
    archived.startWorker()
    const statuses = async () => {
      const rows = await harness.db.rows<{ type: string; status: string }>(
        'SELECT `type`, `status` FROM `webhook_deliveries`',
      )
      return rows.map(({ type, status }) => `${type.replace(/\..*/, '')} ${status}`)
    }
    await archived.untilReceived('connection.first_sync_completed')
    await archived.stopWorker()
    await archived.setStatus('ARCHIVED')
    const receivedBefore = inbox.received.length
    inbox.react = () => ({ status: 204 })
    archived.startWorker()
    await eventually(async () => {
      harness.moveClock(61_000)
      await archived.untilCaughtUp()
      return (await statuses()).every((line) => !line.endsWith('pending'))
    })
    const all = await statuses()
    const [ofConnection, ofData] = [true, false].map(
      (wanted) => new Set(all.filter((line) => line.startsWith('connection ') === wanted)),
    )
    expect(ofConnection).toEqual(new Set(['connection delivered']))
    expect([...(ofData ?? [])].filter((line) => !line.endsWith(' cancelled'))).toEqual([])
    expect(ofData?.size).toBeGreaterThan(0)
    const kinds = new Set(archived.types(receivedBefore).map((type) => type.replace(/\..*/, '')))
    expect(kinds).toEqual(new Set(['connection']))
  })

  test('have no new events: it is neither polled nor synced', async () => {
    await using archived = await ArchivedHarness.start(dialect)
    const { harness, linked } = archived
    await harness.sync(linked)
    await scheduleMissing(harness.tools, CADENCE)
    const syncId = await harness.requestSync(linked)
    await archived.setStatus('ARCHIVED')
    const before = await harness.events(linked, '')
    harness.moveClock(3 * HOUR)
    harness.added.length = 0
    await enqueueDue(harness.tools, CADENCE)
    await harness.run(syncId)
    expect(harness.added.filter((job) => job.includes(linked.id))).toEqual([])
    expect(await harness.events(linked, '')).toEqual(before)
    expect(await harness.row('syncs', syncId)).toMatchObject({ status: 'failed' })
    expect(await harness.mutate(linked.client, 'requestSync', {}, 'sync { id }')).toMatchObject({
      code: 'UNPROCESSABLE_ENTITY',
    })
  })
})
