import type { EnvelopeEncryption } from '../../auth/envelope-encryption.ts'
import type { Logger } from '../../platform/logging/log.ts'
import type { OutboundHttp } from '../../platform/outbound-http/outbound-http.ts'
import type { Notifier } from '../../queue/notifier.ts'
import type { Database } from '../../storage/database.ts'
import { LOG_TOPIC } from '../../subgraphs/events/topics.ts'
import { MAX_SETTINGS_AGE_MS } from '../../subgraphs/events/webhooks/max-settings-age.ts'
import { WEBHOOKS_TOPIC } from '../../subgraphs/events/webhooks/topics.ts'
import type { Clock } from '../../domain/time.ts'
import { ConnectionCache } from './connection-cache.ts'
import type { WorkerContext } from './worker-context.ts'
import { limitConcurrency } from './database-concurrency.ts'
import { EndpointLeases } from './endpoint-leases.ts'
import { LogWindowReader } from '../messages/event-log-window.ts'
import { EventLogWatcher } from './event-log-watcher.ts'
import { ResultWriter } from '../results/result-writer.ts'
import { EndpointConfigReader, configFingerprint } from './endpoint-config.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { EndpointSender } from './endpoint-sender.ts'

export interface DeliveryWorkerDeps {
  readonly db: Database
  readonly notifier: Notifier
  readonly outboundHttp: Pick<OutboundHttp, 'post'>
  readonly secrets: EnvelopeEncryption
  readonly clock: Clock
  readonly log: Logger
  /** Where fleets sign in again. */
  linkUrl(): string
  /** How long it waits for what is under way when it is closed. */
  readonly drainMs?: number
  /** How many endpoints it has at once. */
  readonly maxEndpoints?: number
}

export interface DeliveryWorker {
  close(): Promise<void>
}

const POLL_INTERVAL_MS = 1000
const CONFIRM_MS = 600
const RENEW_MS = 4000
const DRAIN_MS = 10_000
const MAX_ENDPOINTS = 1000
const TAKEN_AT_ONCE = 200
/** Where more endpoints wait than are held, those give way that were held for so long. */
const MAX_HOLD_MS = 10_000
const MAX_IN_FLIGHT = 500
const MAX_SLOW = 2000
const MAX_LOADED = 20_000
/** So many statements at once; what is urgent does not wait for them. */
const MAX_READS = 4

/** Tells endpoints the log, beside other workers that do: each has the lease of some of them. */
export function startDeliveryWorker(deps: DeliveryWorkerDeps): DeliveryWorker {
  return new RunningDeliveryWorker(deps)
}

class RunningDeliveryWorker implements DeliveryWorker {
  private readonly held = new Map<string, EndpointSender>()
  private readonly runs = new Set<Promise<void>>()
  private readonly leases: EndpointLeases
  /** The same, for what is not urgent. */
  private readonly releases: EndpointLeases
  private readonly logWatcher: EventLogWatcher
  private readonly configReader: EndpointConfigReader
  private readonly context: WorkerContext
  private readonly given = new AbortController()
  private readonly stops: (() => void)[] = []
  private checking: Promise<void> | null = null
  private isNotified = false
  private confirming: Promise<boolean> | null = null
  private confirmedAt = performance.now()
  private renewedAt = performance.now()
  private isClosing = false

  constructor(private readonly deps: DeliveryWorkerDeps) {
    const { clock, log, notifier, secrets, linkUrl } = deps
    const db = limitConcurrency(deps.db, MAX_READS)
    const bodies = { deps: { db, secrets, linkUrl }, log }
    this.leases = new EndpointLeases(deps.db, clock)
    this.releases = new EndpointLeases(db, clock, this.leases.owner)
    this.logWatcher = new EventLogWatcher(deps.db, clock)
    this.configReader = new EndpointConfigReader(deps.db, secrets)
    this.context = {
      ...deps,
      db,
      bodies,
      windows: new LogWindowReader(db, bodies),
      connections: new ConnectionCache(deps.db, clock),
      concurrency: new ConcurrencyLimiter(MAX_IN_FLIGHT, MAX_SLOW),
      resultWriter: new ResultWriter({ db: deps.db, clock, log, owner: this.leases.owner }),
      windowSize: () => Math.min(250, Math.max(10, Math.floor(MAX_LOADED / (this.held.size + 1)))),
      isConfirmed: () => this.isConfirmed(),
      signal: this.given.signal,
    }
    const check = () => this.notify()
    const timers = [setInterval(check, POLL_INTERVAL_MS), setInterval(() => void this.confirm(), CONFIRM_MS)]
    for (const timer of timers) timer.unref()
    this.stops.push(
      () => timers.forEach(clearInterval),
      notifier.subscribe(LOG_TOPIC, check),
      notifier.subscribe(WEBHOOKS_TOPIC, () => {
        void this.confirm()
        check()
      }),
    )
    check()
  }

  async close(): Promise<void> {
    this.isClosing = true
    for (const stop of this.stops) stop()
    for (const sender of this.held.values()) sender.stop()
    await this.checking
    const timer = setTimeout(() => this.given.abort(), this.deps.drainMs ?? DRAIN_MS)
    this.given.signal.addEventListener('abort', () => void this.context.resultWriter.close())
    while (this.runs.size > 0) await Promise.all(this.runs)
    clearTimeout(timer)
    await this.context.resultWriter.close()
    this.context.concurrency.close()
  }

  private notify(): void {
    this.isNotified = true
    this.checking ??= this.check()
      .catch((err: unknown) => this.deps.log.warn({ err }, 'no webhooks are looked for'))
      .finally(() => (this.checking = null))
  }

  private async check(): Promise<void> {
    while (this.isNotified && !this.isClosing) {
      this.isNotified = false
      const grown = await this.logWatcher.check()
      for (const sender of this.held.values())
        if (grown === null || grown.has(sender.endpoint.applicationId)) sender.nudge()
      await this.takeMore()
    }
  }

  private async takeMore(): Promise<void> {
    for (let room = this.roomLeft(); room > 0 && !this.isClosing; room = this.roomLeft()) {
      const most = Math.min(room, TAKEN_AT_ONCE)
      const taken = await this.leases.take(most, this.held)
      const known = await this.configReader.of(taken.map(({ endpointId }) => endpointId))
      for (const progress of taken) {
        const settings = known.get(progress.endpointId)
        if (!settings || settings.endpoint.disabledAt !== null || this.isClosing)
          await this.releases.release(progress.endpointId, progress.position)
        else this.startSender(new EndpointSender(this.context, settings.endpoint, progress, settings.secrets))
      }
      if (taken.length < most) return
    }
    if (this.roomLeft() <= 0 && (await this.leases.someWait())) this.makeRoom()
  }

  private roomLeft(): number {
    return (this.deps.maxEndpoints ?? MAX_ENDPOINTS) - this.held.size
  }

  /** Those that were held longest give way; what is left for them is taken up again in turn. */
  private makeRoom(): void {
    const now = performance.now()
    let most = TAKEN_AT_ONCE
    for (const sender of this.held.values())
      if (now - sender.since >= MAX_HOLD_MS && most-- > 0) sender.stop()
  }

  private startSender(sender: EndpointSender): void {
    const { id } = sender.endpoint
    this.held.set(id, sender)
    const run = this.runToItsEnd(sender)
    this.runs.add(run)
    void run.finally(() => {
      this.runs.delete(run)
      this.held.delete(id)
      if (!this.isClosing) this.notify()
    })
  }

  private async runToItsEnd(sender: EndpointSender): Promise<void> {
    const { id: endpointId } = sender.endpoint
    const tell = (err: unknown) => this.deps.log.warn({ err, endpointId }, 'an endpoint is given up for now')
    await sender.run().catch(tell)
    const { position } = sender
    if (position !== null) await this.releases.release(endpointId, position).catch(tell)
  }

  private async isConfirmed(): Promise<boolean> {
    if (performance.now() - this.confirmedAt < MAX_SETTINGS_AGE_MS) return true
    return this.confirm()
  }

  /** Looks whether everything is as it was: the leases, the settings, the secrets, the connections. */
  private confirm(): Promise<boolean> {
    this.confirming ??= this.checkAgain()
      .then(
        () => true,
        (err: unknown) => {
          this.deps.log.warn({ err }, 'what webhooks are sent by is not known')
          return false
        },
      )
      .finally(() => (this.confirming = null))
    return this.confirming
  }

  private async checkAgain(): Promise<void> {
    const began = performance.now()
    const ids = [...this.held.keys()]
    if (ids.length > 0) {
      if (began - this.renewedAt > RENEW_MS) {
        await this.leases.renew(ids)
        this.renewedAt = began
      }
      const [mine, known, due] = await Promise.all([
        this.leases.held(ids),
        this.configReader.of(ids),
        this.leases.withDue(ids),
        this.context.connections.refresh(),
      ])
      for (const id of ids) {
        const sender = this.held.get(id)
        if (!sender) continue
        const now = known.get(id)
        if (!mine.has(id)) sender.lost()
        else if (!now || configFingerprint(now.endpoint) !== configFingerprint(sender.endpoint)) sender.stop()
        else sender.secrets = now.secrets
        if (due.has(id)) sender.nudge('due')
      }
    }
    this.confirmedAt = began
  }
}
