import { ScrapedGauges, setGauge } from './scraped-gauges.ts'
import type { Instruments } from './instruments.ts'

/** How far the syncs of a provider's connections are behind: automatic ones that are connected. */
export interface SyncLagState {
  readonly provider: string
  readonly connections: number
  /** Of the one that is furthest behind. */
  readonly lagSeconds: number
  /** How many have missed a whole interval. */
  readonly overdue: number
}

export interface OutboxBacklogState {
  readonly unsequenced: number
  /** Of the oldest entry that has no position yet; 0 where there is none. */
  readonly oldestSeconds: number
}

/** What is still to be told to webhook endpoints. */
export interface DeliveryBacklogState {
  readonly events: number
  readonly waiting: number
  readonly oldestSeconds: number
}

export interface PoolState {
  readonly limit: number
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

export type JobStateCounts = Readonly<
  Record<string, Readonly<Record<'waiting' | 'active' | 'delayed' | 'failed', number>>>
>

/** Where the state of the service is looked up; what a role does not have is left out. */
export interface ServiceState {
  readonly syncLags?: () => Promise<readonly SyncLagState[]>
  readonly backlog?: () => Promise<OutboxBacklogState>
  readonly deliveries?: () => Promise<DeliveryBacklogState>
  readonly jobCounts?: () => Promise<JobStateCounts>
  readonly pool?: () => PoolState | null
  readonly sockets?: () => { readonly open: number; readonly subscriptions: number }
}

/** What is looked up at each scrape. */
export function stateMetrics(make: Instruments, states: ServiceState): ScrapedGauges {
  const collected = new ScrapedGauges(make)
  const { syncLags, backlog, deliveries, jobCounts, pool, sockets } = states
  if (syncLags) addLags(collected, make, syncLags)
  if (backlog) addBacklog(collected, make, backlog)
  if (deliveries) addDeliveries(collected, make, deliveries)
  if (jobCounts) addJobs(collected, make, jobCounts)
  if (pool?.()) addPool(collected, make, pool)
  if (sockets) addSockets(collected, make, sockets)
  return collected
}

function addLags(
  collected: ScrapedGauges,
  { gauge }: Instruments,
  look: NonNullable<ServiceState['syncLags']>,
) {
  const lag = gauge(
    'sync_lag_seconds',
    'Time since the last completed sync of the connection furthest behind.',
    ['provider'],
  )
  const overdue = gauge(
    'sync_overdue_connections',
    'Connections that have missed a whole interval of syncs.',
    ['provider'],
  )
  const count = gauge('sync_connections', 'Connections that are synced automatically.', ['provider'])
  collected.add('sync_lag', [lag, overdue, count], look, (lags) => {
    const each = (valueOf: (one: SyncLagState) => number) =>
      lags.map((one) => ({ labels: { provider: one.provider }, value: valueOf(one) }))
    setGauge(
      lag,
      each(({ lagSeconds }) => lagSeconds),
    )
    setGauge(
      overdue,
      each((one) => one.overdue),
    )
    setGauge(
      count,
      each(({ connections }) => connections),
    )
  })
}

function addBacklog(
  collected: ScrapedGauges,
  { gauge }: Instruments,
  look: NonNullable<ServiceState['backlog']>,
) {
  const unplaced = gauge(
    'events_unplaced',
    'Committed events that the dispatcher has not placed in the log yet, up to 10,000.',
  )
  const oldest = gauge('events_oldest_unplaced_seconds', 'Age of the oldest event that is not placed yet.')
  collected.add('events', [unplaced, oldest], look, (found) => {
    unplaced.set(found.unsequenced)
    oldest.set(found.oldestSeconds)
  })
}

function addDeliveries(
  collected: ScrapedGauges,
  { gauge }: Instruments,
  look: NonNullable<ServiceState['deliveries']>,
) {
  const events = gauge(
    'webhook_backlog_events',
    'Events that webhook endpoints are still to be told, each for each.',
  )
  const waiting = gauge(
    'webhook_endpoints_waiting',
    'Webhook endpoints with something due that no worker has.',
  )
  const oldest = gauge(
    'webhook_oldest_waiting_seconds',
    'How late the webhook endpoint is that waits longest.',
  )
  collected.add('webhooks', [events, waiting, oldest], look, (found) => {
    events.set(found.events)
    waiting.set(found.waiting)
    oldest.set(found.oldestSeconds)
  })
}

function addJobs(
  collected: ScrapedGauges,
  { gauge }: Instruments,
  look: NonNullable<ServiceState['jobCounts']>,
) {
  const jobs = gauge('queue_jobs', 'Jobs in the queue, by state.', ['job_name', 'state'])
  collected.add('queue', [jobs], look, (counts) => {
    for (const [job, states] of Object.entries(counts))
      setGauge(
        jobs,
        Object.entries(states).map(([state, value]) => ({ labels: { job_name: job, state }, value })),
      )
  })
}

function addPool(collected: ScrapedGauges, { gauge }: Instruments, look: () => PoolState | null) {
  const connections = gauge('pool_connections', "Connections of the database's pool, by state.", ['state'])
  const waiting = gauge('pool_waiting', 'Statements and transactions that wait for a connection.')
  const limit = gauge('pool_limit', 'Most connections of the pool.')
  collected.add(
    'pool',
    [connections, waiting, limit],
    async () => look(),
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
  collected: ScrapedGauges,
  { gauge }: Instruments,
  look: NonNullable<ServiceState['sockets']>,
) {
  const open = gauge('sockets_open', 'Websockets that are open.')
  const subscriptions = gauge('subscriptions_open', 'Operations that run over websockets.')
  collected.add(
    'sockets',
    [open, subscriptions],
    async () => look(),
    (found) => {
      open.set(found.open)
      subscriptions.set(found.subscriptions)
    },
  )
}
