import { ScrapedGauges, setGauge } from './scraped-gauges.ts'
import type { Instruments } from './instruments.ts'

/** Sync lag of those connections of a provider that are connected and synced automatically. */
export interface SyncLagState {
  readonly provider: string
  readonly connections: number
  /** Longest time since the last completed sync of a connection. */
  readonly lagSeconds: number
  /** Number of connections that have missed a whole sync interval. */
  readonly overdue: number
}

/** Committed events that have no position in the event log yet. */
export interface OutboxBacklogState {
  readonly unsequenced: number
  /** Age of the oldest of these events; 0 if there is none. */
  readonly oldestSeconds: number
}

/** Backlog of webhook deliveries. */
export interface DeliveryBacklogState {
  /** Events still to be delivered. An event counts once for each endpoint. */
  readonly events: number
  /** Endpoints with due deliveries that no worker leases. */
  readonly waiting: number
  /** Longest time since such an endpoint became due; 0 if there is none. */
  readonly oldestSeconds: number
}

/** Connections of the database pool. */
export interface PoolState {
  readonly limit: number
  readonly open: number
  /** Open connections that no statement uses. */
  readonly idle: number
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number
}

export type JobStateCounts = Readonly<
  Record<string, Readonly<Record<'waiting' | 'active' | 'delayed' | 'failed', number>>>
>

/** Sources of the gauges that are read at each scrape. A process omits those that its role does not have. */
export interface ServiceState {
  readonly syncLags?: () => Promise<readonly SyncLagState[]>
  readonly backlog?: () => Promise<OutboxBacklogState>
  readonly deliveries?: () => Promise<DeliveryBacklogState>
  readonly jobCounts?: () => Promise<JobStateCounts>
  readonly pool?: () => PoolState | null
  readonly sockets?: () => { readonly open: number; readonly subscriptions: number }
}

/** Creates the gauges that are read at each scrape. */
export function stateMetrics(make: Instruments, state: ServiceState): ScrapedGauges {
  const scrapedGauges = new ScrapedGauges(make)
  const { syncLags, backlog, deliveries, jobCounts, pool, sockets } = state
  if (syncLags) addLags(scrapedGauges, make, syncLags)
  if (backlog) addBacklog(scrapedGauges, make, backlog)
  if (deliveries) addDeliveries(scrapedGauges, make, deliveries)
  if (jobCounts) addJobs(scrapedGauges, make, jobCounts)
  if (pool?.()) addPool(scrapedGauges, make, pool)
  if (sockets) addSockets(scrapedGauges, make, sockets)
  return scrapedGauges
}

function addLags(
  scrapedGauges: ScrapedGauges,
  { gauge }: Instruments,
  read: NonNullable<ServiceState['syncLags']>,
) {
  const lag = gauge(
    'sync_lag_seconds',
    'Time since the last completed sync of the connection furthest behind.',
    ['provider'],
  )
  const overdue = gauge('sync_overdue_connections', 'Connections that have missed a whole sync interval.', [
    'provider',
  ])
  const count = gauge('sync_connections', 'Connections that are synced automatically.', ['provider'])
  scrapedGauges.add('sync_lag', [lag, overdue, count], read, (lags) => {
    const samples = (valueOf: (providerLag: SyncLagState) => number) =>
      lags.map((providerLag) => ({ labels: { provider: providerLag.provider }, value: valueOf(providerLag) }))
    setGauge(
      lag,
      samples(({ lagSeconds }) => lagSeconds),
    )
    setGauge(
      overdue,
      samples((providerLag) => providerLag.overdue),
    )
    setGauge(
      count,
      samples(({ connections }) => connections),
    )
  })
}

function addBacklog(
  scrapedGauges: ScrapedGauges,
  { gauge }: Instruments,
  read: NonNullable<ServiceState['backlog']>,
) {
  const unsequenced = gauge(
    'events_unplaced',
    'Committed events without a position in the event log, up to 10,000.',
  )
  const oldest = gauge(
    'events_oldest_unplaced_seconds',
    'Age of the oldest event without a position in the event log.',
  )
  scrapedGauges.add('events', [unsequenced, oldest], read, (value) => {
    unsequenced.set(value.unsequenced)
    oldest.set(value.oldestSeconds)
  })
}

function addDeliveries(
  scrapedGauges: ScrapedGauges,
  { gauge }: Instruments,
  read: NonNullable<ServiceState['deliveries']>,
) {
  const events = gauge(
    'webhook_backlog_events',
    'Events still to be delivered, summed over webhook endpoints.',
  )
  const waiting = gauge(
    'webhook_endpoints_waiting',
    'Webhook endpoints with due deliveries that no worker leases.',
  )
  const oldest = gauge(
    'webhook_oldest_waiting_seconds',
    'Delay of the webhook endpoint that has waited longest.',
  )
  scrapedGauges.add('webhooks', [events, waiting, oldest], read, (value) => {
    events.set(value.events)
    waiting.set(value.waiting)
    oldest.set(value.oldestSeconds)
  })
}

function addJobs(
  scrapedGauges: ScrapedGauges,
  { gauge }: Instruments,
  read: NonNullable<ServiceState['jobCounts']>,
) {
  const jobs = gauge('queue_jobs', 'Jobs in the queue, by state.', ['job_name', 'state'])
  scrapedGauges.add('queue', [jobs], read, (counts) => {
    for (const [job, countsByState] of Object.entries(counts))
      setGauge(
        jobs,
        Object.entries(countsByState).map(([state, value]) => ({ labels: { job_name: job, state }, value })),
      )
  })
}

function addPool(scrapedGauges: ScrapedGauges, { gauge }: Instruments, read: () => PoolState | null) {
  const connections = gauge('pool_connections', 'Connections of the database pool, by state.', ['state'])
  const waiting = gauge('pool_waiting', 'Statements and transactions that wait for a connection.')
  const limit = gauge('pool_limit', 'Maximum number of connections of the pool.')
  scrapedGauges.add(
    'pool',
    [connections, waiting, limit],
    async () => read(),
    (use) => {
      if (!use) return
      connections.set({ state: 'used' }, use.open - use.idle)
      connections.set({ state: 'idle' }, use.idle)
      waiting.set(use.waiting)
      limit.set(use.limit)
    },
  )
}

function addSockets(
  scrapedGauges: ScrapedGauges,
  { gauge }: Instruments,
  read: NonNullable<ServiceState['sockets']>,
) {
  const open = gauge('sockets_open', 'Open websockets.')
  const subscriptions = gauge('subscriptions_open', 'Operations that run over websockets.')
  scrapedGauges.add(
    'sockets',
    [open, subscriptions],
    async () => read(),
    (value) => {
      open.set(value.open)
      subscriptions.set(value.subscriptions)
    },
  )
}
