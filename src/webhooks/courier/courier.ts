import type { SecretBox } from '../../auth/secret-box.ts'
import type { Logger } from '../../log.ts'
import type { Outgoing } from '../../outgoing/outgoing.ts'
import type { Doorbell } from '../../queue/doorbell.ts'
import type { Database } from '../../storage/database.ts'
import { LOG_TOPIC } from '../../subgraphs/events/topics.ts'
import { OLDEST_SETTINGS_MS } from '../../subgraphs/events/webhooks/settings-age.ts'
import { WEBHOOKS_TOPIC } from '../../subgraphs/events/webhooks/topics.ts'
import type { Clock } from '../../time.ts'
import { Connections } from './connections.ts'
import type { Depot } from './depot.ts'
import { fewAtOnce } from './few-at-once.ts'
import { Leases } from './leases.ts'
import { LogWindows } from '../delivery/log-window.ts'
import { News } from './news.ts'
import { Recorder } from '../delivery/recorder.ts'
import { EndpointSettings, signatureOf } from './settings-of.ts'
import { Slots } from './slots.ts'
import { Tender } from './tender.ts'

export interface CourierTools {
  readonly db: Database
  readonly doorbell: Doorbell
  readonly outgoing: Pick<Outgoing, 'post'>
  readonly secrets: SecretBox
  readonly clock: Clock
  readonly log: Logger
  /** Where fleets sign in again. */
  linkUrl(): string
  /** How long it waits for what is under way when it is closed. */
  readonly drainMs?: number
  /** How many endpoints it has at once. */
  readonly mostEndpoints?: number
}

export interface Courier {
  close(): Promise<void>
}

const LOOK_MS = 1000
const CONFIRM_MS = 600
const RENEW_MS = 4000
const DRAIN_MS = 10_000
const MOST_ENDPOINTS = 1000
const TAKEN_AT_ONCE = 200
/** Where more endpoints wait than are held, those give way that were held for so long. */
const TURN_MS = 10_000
const MOST_IN_FLIGHT = 500
const MOST_SLOW = 2000
const MOST_LOADED = 20_000
/** So many statements at once; what is urgent does not wait for them. */
const MOST_READS = 4

/** Tells endpoints the log, beside other workers that do: each has the lease of some of them. */
export function startCourier(tools: CourierTools): Courier {
  return new RunningCourier(tools)
}

class RunningCourier implements Courier {
  private readonly held = new Map<string, Tender>()
  private readonly runs = new Set<Promise<void>>()
  private readonly leases: Leases
  /** The same, for what is not urgent. */
  private readonly releases: Leases
  private readonly news: News
  private readonly settings: EndpointSettings
  private readonly depot: Depot
  private readonly given = new AbortController()
  private readonly stops: (() => void)[] = []
  private looking: Promise<void> | null = null
  private isRung = false
  private confirming: Promise<boolean> | null = null
  private confirmedAt = performance.now()
  private renewedAt = performance.now()
  private isClosing = false

  constructor(private readonly tools: CourierTools) {
    const { clock, log, doorbell, secrets, linkUrl } = tools
    const db = fewAtOnce(tools.db, MOST_READS)
    const bodies = { from: { db, secrets, linkUrl }, log }
    this.leases = new Leases(tools.db, clock)
    this.releases = new Leases(db, clock, this.leases.owner)
    this.news = new News(tools.db, clock)
    this.settings = new EndpointSettings(tools.db, secrets)
    this.depot = {
      ...tools,
      db,
      bodies,
      windows: new LogWindows(db, bodies),
      connections: new Connections(tools.db, clock),
      slots: new Slots(MOST_IN_FLIGHT, MOST_SLOW),
      recorder: new Recorder({ db: tools.db, clock, log, owner: this.leases.owner }),
      windowSize: () => Math.min(250, Math.max(10, Math.floor(MOST_LOADED / (this.held.size + 1)))),
      isConfirmed: () => this.isConfirmed(),
      signal: this.given.signal,
    }
    const look = () => this.ring()
    const timers = [setInterval(look, LOOK_MS), setInterval(() => void this.confirm(), CONFIRM_MS)]
    for (const timer of timers) timer.unref()
    this.stops.push(
      () => timers.forEach(clearInterval),
      doorbell.listen(LOG_TOPIC, look),
      doorbell.listen(WEBHOOKS_TOPIC, () => {
        void this.confirm()
        look()
      }),
    )
    look()
  }

  async close(): Promise<void> {
    this.isClosing = true
    for (const stop of this.stops) stop()
    for (const tender of this.held.values()) tender.stop()
    await this.looking
    const timer = setTimeout(() => this.given.abort(), this.tools.drainMs ?? DRAIN_MS)
    this.given.signal.addEventListener('abort', () => void this.depot.recorder.close())
    while (this.runs.size > 0) await Promise.all(this.runs)
    clearTimeout(timer)
    await this.depot.recorder.close()
    this.depot.slots.close()
  }

  private ring(): void {
    this.isRung = true
    this.looking ??= this.look()
      .catch((err: unknown) => this.tools.log.warn({ err }, 'no webhooks are looked for'))
      .finally(() => (this.looking = null))
  }

  private async look(): Promise<void> {
    while (this.isRung && !this.isClosing) {
      this.isRung = false
      const grown = await this.news.look()
      for (const tender of this.held.values())
        if (grown === null || grown.has(tender.endpoint.applicationId)) tender.nudge()
      await this.takeMore()
    }
  }

  private async takeMore(): Promise<void> {
    for (let room = this.roomLeft(); room > 0 && !this.isClosing; room = this.roomLeft()) {
      const most = Math.min(room, TAKEN_AT_ONCE)
      const taken = await this.leases.take(most, this.held)
      const known = await this.settings.of(taken.map(({ endpointId }) => endpointId))
      for (const progress of taken) {
        const settings = known.get(progress.endpointId)
        if (!settings || settings.endpoint.disabledAt !== null || this.isClosing)
          await this.releases.release(progress.endpointId, progress.position)
        else this.tend(new Tender(this.depot, settings.endpoint, progress, settings.secrets))
      }
      if (taken.length < most) return
    }
    if (this.roomLeft() <= 0 && (await this.leases.someWait())) this.makeRoom()
  }

  private roomLeft(): number {
    return (this.tools.mostEndpoints ?? MOST_ENDPOINTS) - this.held.size
  }

  /** Those that were held longest give way; what is left for them is taken up again in turn. */
  private makeRoom(): void {
    const now = performance.now()
    let most = TAKEN_AT_ONCE
    for (const tender of this.held.values()) if (now - tender.since >= TURN_MS && most-- > 0) tender.stop()
  }

  private tend(tender: Tender): void {
    const { id } = tender.endpoint
    this.held.set(id, tender)
    const run = this.runToItsEnd(tender)
    this.runs.add(run)
    void run.finally(() => {
      this.runs.delete(run)
      this.held.delete(id)
      if (!this.isClosing) this.ring()
    })
  }

  private async runToItsEnd(tender: Tender): Promise<void> {
    const { id: endpointId } = tender.endpoint
    const tell = (err: unknown) => this.tools.log.warn({ err, endpointId }, 'an endpoint is given up for now')
    await tender.run().catch(tell)
    const { position } = tender
    if (position !== null) await this.releases.release(endpointId, position).catch(tell)
  }

  private async isConfirmed(): Promise<boolean> {
    if (performance.now() - this.confirmedAt < OLDEST_SETTINGS_MS) return true
    return this.confirm()
  }

  /** Looks whether everything is as it was: the leases, the settings, the secrets, the connections. */
  private confirm(): Promise<boolean> {
    this.confirming ??= this.lookAgain()
      .then(
        () => true,
        (err: unknown) => {
          this.tools.log.warn({ err }, 'what webhooks are sent by is not known')
          return false
        },
      )
      .finally(() => (this.confirming = null))
    return this.confirming
  }

  private async lookAgain(): Promise<void> {
    const began = performance.now()
    const ids = [...this.held.keys()]
    if (ids.length > 0) {
      if (began - this.renewedAt > RENEW_MS) {
        await this.leases.renew(ids)
        this.renewedAt = began
      }
      const [mine, known, due] = await Promise.all([
        this.leases.held(ids),
        this.settings.of(ids),
        this.leases.withDue(ids),
        this.depot.connections.refresh(),
      ])
      for (const id of ids) {
        const tender = this.held.get(id)
        if (!tender) continue
        const now = known.get(id)
        if (!mine.has(id)) tender.lost()
        else if (!now || signatureOf(now.endpoint) !== signatureOf(tender.endpoint)) tender.stop()
        else tender.secrets = now.secrets
        if (due.has(id)) tender.nudge('due')
      }
    }
    this.confirmedAt = began
  }
}
