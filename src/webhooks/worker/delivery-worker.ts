import type { EnvelopeEncryption } from '../../auth/envelope-encryption.ts'
import type { Logger } from '../../platform/logging/log.ts'
import type { OutboundHttp } from '../../platform/outbound-http/outbound-http.ts'
import type { Notifier } from '../../queue/notifier.ts'
import type { Database } from '../../storage/database.ts'
import { LOG_TOPIC } from '../../subgraphs/events/topics.ts'
import { MAX_SETTINGS_AGE_MS } from '../../subgraphs/events/webhooks/max-settings-age.ts'
import { WEBHOOKS_TOPIC } from '../../subgraphs/events/webhooks/topics.ts'
import { openHeaders } from '../../subgraphs/events/webhooks/webhook-header.ts'
import type { WebhookProgress } from '../../subgraphs/events/webhooks/webhook-progress.ts'
import type { Clock } from '../../domain/time.ts'
import { ConnectionCache } from './connection-cache.ts'
import type { WorkerContext } from './worker-context.ts'
import { limitConcurrency } from './database-concurrency.ts'
import { EndpointLeases } from './endpoint-leases.ts'
import { LogWindowReader } from '../messages/event-log-window.ts'
import { EventLogWatcher } from './event-log-watcher.ts'
import { ResultWriter } from '../results/result-writer.ts'
import { type EndpointConfig, EndpointConfigReader, configFingerprint } from './endpoint-config.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { EndpointSender } from './endpoint-sender.ts'

export interface DeliveryWorkerDeps {
  readonly db: Database
  readonly notifier: Notifier
  readonly outboundHttp: Pick<OutboundHttp, 'post'>
  readonly secrets: EnvelopeEncryption
  readonly clock: Clock
  readonly log: Logger
  /** Base URL of the link pages, where fleets sign in again. */
  linkUrl(): string
  /** Time in ms for which `close` waits for in-flight messages. */
  readonly drainMs?: number
  /** Maximum number of endpoints that the worker leases at once. */
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
const LEASE_BATCH = 200
/** Age of a lease from which a full worker releases the endpoint if other endpoints wait. */
const RELEASE_AFTER_MS = 10_000
const MAX_IN_FLIGHT = 500
const MAX_SLOW = 2000
const MAX_LOADED = 20_000
/** Concurrency limit of statements that read messages or release endpoints. Urgent statements bypass it. */
const MAX_READS = 4

/** Starts a worker that delivers events to webhook endpoints. Workers lease endpoints, so several can run. */
export function startDeliveryWorker(deps: DeliveryWorkerDeps): DeliveryWorker {
  return new RunningDeliveryWorker(deps)
}

class RunningDeliveryWorker implements DeliveryWorker {
  private readonly senders = new Map<string, EndpointSender>()
  private readonly runs = new Set<Promise<void>>()
  private readonly leases: EndpointLeases
  /** Same leases over the limited database; a release is not urgent. */
  private readonly backgroundLeases: EndpointLeases
  private readonly logWatcher: EventLogWatcher
  private readonly configReader: EndpointConfigReader
  private readonly context: WorkerContext
  private readonly abortController = new AbortController()
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
    const payloadBuilder = { deps: { db, secrets, linkUrl }, log }
    const connections = new ConnectionCache(deps.db)
    this.leases = new EndpointLeases(deps.db, clock)
    this.backgroundLeases = new EndpointLeases(db, clock, this.leases.owner)
    this.logWatcher = new EventLogWatcher(deps.db, clock)
    this.configReader = new EndpointConfigReader(deps.db, secrets)
    this.context = {
      ...deps,
      db,
      payloadBuilder,
      windows: new LogWindowReader(db, payloadBuilder, connections),
      connections,
      concurrency: new ConcurrencyLimiter(MAX_IN_FLIGHT, MAX_SLOW),
      resultWriter: new ResultWriter({ db: deps.db, clock, log, owner: this.leases.owner }),
      windowSize: () => Math.min(250, Math.max(10, Math.floor(MAX_LOADED / (this.senders.size + 1)))),
      isConfirmed: () => this.isConfirmed(),
      signal: this.abortController.signal,
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
    for (const sender of this.senders.values()) sender.stop()
    await this.checking
    const timer = setTimeout(() => this.abortController.abort(), this.deps.drainMs ?? DRAIN_MS)
    this.abortController.signal.addEventListener('abort', () => void this.context.resultWriter.close())
    while (this.runs.size > 0) await Promise.all(this.runs)
    clearTimeout(timer)
    await this.context.resultWriter.close()
    this.context.concurrency.close()
  }

  private notify(): void {
    this.isNotified = true
    this.checking ??= this.check()
      .catch((err: unknown) => this.deps.log.warn({ err }, 'webhook check failed'))
      .finally(() => (this.checking = null))
  }

  private async check(): Promise<void> {
    while (this.isNotified && !this.isClosing) {
      this.isNotified = false
      const grownIds = await this.logWatcher.check()
      for (const sender of this.senders.values())
        if (grownIds === null || grownIds.has(sender.endpoint.applicationId)) sender.wake()
      await this.leaseMore()
    }
  }

  private async leaseMore(): Promise<void> {
    for (let free = this.freeSlots(); free > 0 && !this.isClosing; free = this.freeSlots()) {
      const limit = Math.min(free, LEASE_BATCH)
      const taken = await this.leases.acquire(limit, this.senders)
      const configs = await this.configReader.read(taken.map(({ endpointId }) => endpointId))
      for (const progress of taken) {
        const config = configs.get(progress.endpointId)
        if (!config || config.endpoint.disabledAt !== null || this.isClosing)
          await this.backgroundLeases.release(progress.endpointId, progress.position)
        else this.startSender(this.senderOf(config, progress))
      }
      if (taken.length < limit) return
    }
    if (this.freeSlots() <= 0 && (await this.leases.hasDueEndpoint())) this.stopLongestRunning()
  }

  private senderOf({ endpoint, secrets }: EndpointConfig, progress: WebhookProgress): EndpointSender {
    const customHeaders = openHeaders(this.deps.secrets, endpoint)
    return new EndpointSender(this.context, endpoint, progress, secrets, customHeaders)
  }

  private freeSlots(): number {
    return (this.deps.maxEndpoints ?? MAX_ENDPOINTS) - this.senders.size
  }

  /** Stops the senders that have run longest. Their endpoints are leased again in turn. */
  private stopLongestRunning(): void {
    const now = performance.now()
    let remaining = LEASE_BATCH
    for (const sender of this.senders.values())
      if (now - sender.startedAt >= RELEASE_AFTER_MS && remaining-- > 0) sender.stop()
  }

  private startSender(sender: EndpointSender): void {
    const { id } = sender.endpoint
    this.senders.set(id, sender)
    const run = this.runSender(sender)
    this.runs.add(run)
    void run.finally(() => {
      this.runs.delete(run)
      this.senders.delete(id)
      if (!this.isClosing) this.notify()
    })
  }

  private async runSender(sender: EndpointSender): Promise<void> {
    const { id: endpointId } = sender.endpoint
    const logFailure = (err: unknown) =>
      this.deps.log.warn({ err, endpointId }, 'endpoint released after a failure')
    await sender.run().catch(logFailure)
    const { position } = sender
    if (position !== null) await this.backgroundLeases.release(endpointId, position).catch(logFailure)
  }

  private async isConfirmed(): Promise<boolean> {
    if (performance.now() - this.confirmedAt < MAX_SETTINGS_AGE_MS) return true
    return this.confirm()
  }

  /** Looks whether everything is as it was: the leases, the settings, the secrets, the connections. */
  private confirm(): Promise<boolean> {
    this.confirming ??= this.refreshSenders()
      .then(
        () => true,
        (err: unknown) => {
          this.deps.log.warn({ err }, 'webhook config refresh failed')
          return false
        },
      )
      .finally(() => (this.confirming = null))
    return this.confirming
  }

  private async refreshSenders(): Promise<void> {
    const began = performance.now()
    const ids = [...this.senders.keys()]
    if (ids.length > 0) {
      if (began - this.renewedAt > RENEW_MS) {
        await this.leases.renew(ids)
        this.renewedAt = began
      }
      const [leased, configs, due] = await Promise.all([
        this.leases.stillLeased(ids),
        this.configReader.read(ids),
        this.leases.withDueDeliveries(ids),
        this.context.connections.refresh(),
      ])
      for (const id of ids) {
        const sender = this.senders.get(id)
        if (!sender) continue
        const config = configs.get(id)
        if (!leased.has(id)) sender.onLost()
        else if (!config || configFingerprint(config.endpoint) !== configFingerprint(sender.endpoint))
          sender.stop()
        else sender.secrets = config.secrets
        if (due.has(id)) sender.wake('due')
      }
    }
    this.confirmedAt = began
  }
}
