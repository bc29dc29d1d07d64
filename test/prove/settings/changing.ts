import { setTimeout as wait } from 'node:timers/promises'
import { keyHolder } from '../../../src/auth/caller.ts'
import type { OutboundResult } from '../../../src/platform/outbound-http/request.ts'
import type { Notifier } from '../../../src/queue/notifier.ts'
import { appendEvents, OUTBOX_TOPIC } from '../../../src/storage/outbox.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { updateConnection } from '../../../src/subgraphs/connections/update-connection.ts'
import { disableEndpoint } from '../../../src/subgraphs/events/webhooks/endpoints/disable-endpoint.ts'
import { enableEndpoint } from '../../../src/subgraphs/events/webhooks/endpoints/enable-endpoint.ts'
import { updateEndpoint } from '../../../src/subgraphs/events/webhooks/endpoints/update-endpoint.ts'
import { Random } from '../../fuzz/random.ts'
import { connectionRow } from '../../support/factories.ts'
import { DeliveryHarness } from '../../support/webhooks/delivery-harness.ts'
import type { Store } from '../support/service-process.ts'
import type { EndpointHistory, EndpointSettings, WrittenEvent } from './judge.ts'
import { Moments, Timeline } from './timeline.ts'

export interface Sizes {
  readonly events: number
  readonly changes: number
  readonly endpoints: number
  readonly connections: number
  readonly lostPercent: number
  readonly seed: number
}

const TYPES = ['vehicle.added', 'vehicle.modified', 'driver.added', 'driver.modified']
const TAGS = ['north', 'south', 'east']
const MAX_BATCH = 20
/** Positions by which an endpoint may be behind: the later an event is judged, the more settings may decide. */
const MAX_BEHIND = 200
const STALLED_MS = 120_000

const FIRST: EndpointSettings = { types: TYPES, connectionIds: null, tags: null, isEnabled: true }

interface ChangingEndpoint extends EndpointHistory {
  readonly receipts: Map<string, number>
  readonly positions: { moment: number; position: number }[]
}

/** Everything that happened, for the judge. */
export interface Happened {
  readonly events: readonly WrittenEvent[]
  readonly endpoints: readonly EndpointHistory[]
  readonly tagsOf: ReadonlyMap<string, Timeline<readonly string[]>>
  readonly notifications: { readonly sent: number; readonly lost: number }
}

/** Writes events and changes settings side by side, with two workers, until every endpoint has reached the end. */
export async function changeWhileEventsFlow(store: Store, sizes: Sizes): Promise<Happened> {
  await using harness = await DeliveryHarness.start(store)
  const fleet = await ChangingFleet.start(harness, sizes)
  await Promise.all([fleet.writeEvents(), fleet.changeSettings()])
  await fleet.finish()
  return fleet.happened()
}

class ChangingFleet {
  private readonly moments = new Moments()
  private readonly random: Random
  private readonly endpoints: ChangingEndpoint[] = []
  private readonly tagsOf = new Map<string, Timeline<readonly string[]>>()
  private readonly begun = new Map<string, number>()
  private readonly notifications = { sent: 0, lost: 0 }
  private readonly notifier: Notifier

  private constructor(
    private readonly harness: DeliveryHarness,
    private readonly sizes: Sizes,
  ) {
    this.random = new Random(sizes.seed)
    this.notifier = this.losing(harness.tools.notifier)
  }

  static async start(harness: DeliveryHarness, sizes: Sizes): Promise<ChangingFleet> {
    const fleet = new ChangingFleet(harness, sizes)
    await fleet.seed()
    const { notifier } = fleet
    const outboundHttp = { post: fleet.receive.bind(fleet) }
    for (let count = 0; count < 2; count++) harness.startWorker({ notifier, outboundHttp })
    return fleet
  }

  /** Appends events in small transactions, no faster than the enabled endpoints follow. */
  async writeEvents(): Promise<void> {
    while (this.begun.size < this.sizes.events) {
      await this.writeBatch(this.random.pick([...this.tagsOf.keys()]))
      while (await this.isBehind()) await wait(5)
    }
  }

  /** Makes the changes one after the other, spread over the events. Half of them have an event right after. */
  async changeSettings(): Promise<void> {
    const { changes, events } = this.sizes
    for (let made = 0; made < changes; made++) {
      while (this.begun.size < (made * events) / changes) await wait(1)
      await this.samplePositions()
      const connectionId = await this.changeOne()
      if (this.random.chance(0.5)) await this.writeBatch(connectionId)
    }
  }

  /** Enables every endpoint, and waits until every event has a position and each endpoint has reached the last one. */
  async finish(): Promise<void> {
    for (const endpoint of this.endpoints)
      if (!endpoint.settings.present.isEnabled) await this.toggle(endpoint)
    const timeout = wait(STALLED_MS, 'stalled', { ref: false })
    if ((await Promise.race([this.reachedEnd(), timeout])) === 'stalled')
      throw new Error(`an endpoint has not reached the end of the log in ${STALLED_MS / 1000} s`)
  }

  private async reachedEnd(): Promise<void> {
    while ((await this.unsequenced()) > 0) await wait(20)
    await this.harness.reachedEnd()
  }

  /** Number of events without a position in the log. */
  private async unsequenced(): Promise<number> {
    const [row] = await this.harness.db.rows<{ n: number }>(
      'SELECT COUNT(*) AS n FROM `events` WHERE `position` IS NULL',
    )
    return Number(row?.n)
  }

  async happened(): Promise<Happened> {
    const rows = await this.harness.db.rows<Omit<WrittenEvent, 'begun'> & { subjectId: string }>(
      "SELECT `id`, `type`, `connectionId`, `position`, `subjectId` FROM `events` WHERE `type` NOT LIKE 'connection.%' ORDER BY `position`",
    )
    const events = rows.map(({ subjectId, position, ...row }) => ({
      ...row,
      position: Number(position),
      begun: this.begun.get(subjectId) as number,
    }))
    return { events, endpoints: this.endpoints, tagsOf: this.tagsOf, notifications: this.notifications }
  }

  private async seed(): Promise<void> {
    const { harness, sizes, moments } = this
    const connections = Array.from({ length: sizes.connections }, (_, index) =>
      connectionRow(harness.applicationId, `con_tkn_${index}`, { tags: ['north'] }),
    )
    await harness.db.transaction((tx) => tx.insert(tableOf(Connection), connections))
    for (const { id } of connections) this.tagsOf.set(id, new Timeline(moments, ['north']))
    const urls = Array.from({ length: sizes.endpoints }, (_, index) => `http://127.0.0.1:1/${index}`)
    const { types } = FIRST
    for (const { id } of await harness.endpoints(urls, {
      types: [...types],
      concurrency: 20,
      retrySeconds: [1, 1, 1],
    }))
      this.endpoints.push({ id, settings: new Timeline(moments, FIRST), receipts: new Map(), positions: [] })
  }

  /** Drops a share of the notifications, of the log as well as of the settings. */
  private losing(notifier: Notifier): Notifier {
    return {
      subscribe: (topic, subscriber) =>
        notifier.subscribe(topic, () => {
          this.notifications.sent++
          if (Math.random() * 100 < this.sizes.lostPercent) this.notifications.lost++
          else subscriber()
        }),
      notify: (topic) => notifier.notify(topic),
      close: () => Promise.resolve(),
    }
  }

  /** Records a message. One answer in fifty is a failure, which is retried. */
  private async receive({ url, headers }: { url: string; headers: Readonly<Record<string, string>> }) {
    const { receipts } = this.endpoints[Number(new URL(url).pathname.slice(1))] as ChangingEndpoint
    const id = String(headers['webhook-id'])
    if (!receipts.has(id)) receipts.set(id, this.moments.next())
    await wait(Math.random() * 5)
    const statusCode = Math.random() < 0.02 ? 500 : 204
    return { outcome: 'answered', statusCode, headers: {}, body: '', durationMs: 1 } satisfies OutboundResult
  }

  private async writeBatch(connectionId: string): Promise<void> {
    const { harness, random } = this
    const begun = this.moments.next()
    const events = Array.from({ length: 1 + random.below(MAX_BATCH) }, () => {
      const subjectId = `vcl_${String(this.begun.size).padStart(26, '0')}`
      this.begun.set(subjectId, begun)
      const detail = { vehicle: { id: subjectId }, connection: { id: connectionId } }
      return { type: random.pick(TYPES), subjectId, detail }
    })
    const origin = {
      applicationId: harness.applicationId,
      connectionId: connectionId as Connection['id'],
      at: Date.now(),
    }
    await harness.db.transaction((tx) => appendEvents(tx, origin, events))
    this.notifier.notify(OUTBOX_TOPIC)
  }

  /** Makes a random change. Returns a connection that it concerns. */
  private async changeOne(): Promise<string> {
    const { random } = this
    const connectionId = random.pick([...this.tagsOf.keys()])
    const endpoint = random.pick(this.endpoints)
    const kind = random.below(10)
    if (kind < 4) await this.changeTags(connectionId)
    else if (kind < 5) await this.toggle(endpoint)
    else await this.changeFilter(endpoint)
    return connectionId
  }

  private async changeTags(connectionId: string): Promise<void> {
    const tags = this.some(TAGS, 0)
    await this.tagsOf
      .get(connectionId)
      ?.change(tags, () => updateConnection(this.deps, this.caller, { connectionId, tags }))
  }

  private async changeFilter({ id: endpointId, settings }: ChangingEndpoint): Promise<void> {
    const { random } = this
    const changed = random.pick([
      { types: this.some(TYPES) },
      { tags: random.chance(0.3) ? null : this.some(TAGS) },
      { connectionIds: random.chance(0.3) ? null : this.some([...this.tagsOf.keys()]) },
    ])
    await settings.change({ ...settings.present, ...changed }, () =>
      updateEndpoint(this.deps, this.caller, { endpointId, ...changed }),
    )
  }

  private async toggle({ id: endpointId, settings }: ChangingEndpoint): Promise<void> {
    const { isEnabled } = settings.present
    const command = isEnabled ? disableEndpoint : enableEndpoint
    await settings.change({ ...settings.present, isEnabled: !isEnabled }, () =>
      command(this.deps, this.caller, { endpointId }),
    )
  }

  /** What an endpoint has passed before a change, the change cannot decide. */
  private async samplePositions(): Promise<void> {
    const positions = await this.readPositions()
    const moment = this.moments.next()
    for (const endpoint of this.endpoints)
      endpoint.positions.push({ moment, position: positions.get(endpoint.id) ?? 0 })
  }

  private async readPositions(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.harness.db.rows<{ endpointId: string; position: number }>(
      'SELECT `endpointId`, `position` FROM `webhook_progress`',
    )
    return new Map(rows.map(({ endpointId, position }) => [endpointId, Number(position)]))
  }

  private async isBehind(): Promise<boolean> {
    if ((await this.unsequenced()) > MAX_BEHIND) return true
    const rows = await this.harness.db.rows<{ endpointId: string }>(
      'SELECT p.`endpointId` FROM `webhook_progress` AS p JOIN `log_heads` AS h ON h.`applicationId` = p.`applicationId` WHERE p.`position` < h.`position` - ?',
      [MAX_BEHIND],
    )
    const behind = new Set(rows.map(({ endpointId }) => endpointId))
    return this.endpoints.some(({ id, settings }) => settings.present.isEnabled && behind.has(id))
  }

  /** A random part of a list, of at least this many items. */
  private some<Item>(items: readonly Item[], least = 1): Item[] {
    const chosen = items.filter(() => this.random.chance(0.5))
    return chosen.length >= least ? chosen : [this.random.pick(items)]
  }

  private get deps() {
    return { ...this.harness.silentDeps, notifier: this.notifier }
  }

  private get caller() {
    return keyHolder(this.harness.applicationId)
  }
}
