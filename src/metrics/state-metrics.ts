import { Collected, shown } from './gauges.ts'
import type { Instruments } from './instruments.ts'

/** How far the syncs of a provider's connections are behind: automatic ones that are connected. */
export interface SyncLag {
  readonly provider: string
  readonly connections: number
  /** Of the one that is furthest behind. */
  readonly lagSeconds: number
  /** How many have missed a whole interval. */
  readonly overdue: number
}

export interface Backlog {
  readonly unplaced: number
  /** Of the oldest entry that has no position yet; 0 where there is none. */
  readonly oldestSeconds: number
}

/** What is still to be told to webhook endpoints. */
export interface DeliveryBacklog {
  readonly events: number
  readonly waiting: number
  readonly oldestSeconds: number
}

export interface PoolUse {
  readonly limit: number
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

export type JobCounts = Readonly<
  Record<string, Readonly<Record<'waiting' | 'active' | 'delayed' | 'failed', number>>>
>

/** Where the state of the service is looked up; what a role does not have is left out. */
export interface States {
  readonly syncLags?: () => Promise<readonly SyncLag[]>
  readonly backlog?: () => Promise<Backlog>
  readonly deliveries?: () => Promise<DeliveryBacklog>
  readonly jobCounts?: () => Promise<JobCounts>
  readonly pool?: () => PoolUse | null
  readonly sockets?: () => { readonly open: number; readonly subscriptions: number }
}

/** What is looked up at each scrape. */
export function stateMetrics(make: Instruments, states: States): Collected {
  const collected = new Collected(make)
  const { syncLags, backlog, deliveries, jobCounts, pool, sockets } = states
  if (syncLags) addLags(collected, make, syncLags)
  if (backlog) addBacklog(collected, make, backlog)
  if (deliveries) addDeliveries(collected, make, deliveries)
  if (jobCounts) addJobs(collected, make, jobCounts)
  if (pool?.()) addPool(collected, make, pool)
  if (sockets) addSockets(collected, make, sockets)
  return collected
}

function addLags(collected: Collected, { gauge }: Instruments, look: NonNullable<States['syncLags']>) {
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
    const each = (valueOf: (one: SyncLag) => number) =>
      lags.map((one) => ({ labels: { provider: one.provider }, value: valueOf(one) }))
    shown(
      lag,
      each(({ lagSeconds }) => lagSeconds),
    )
    shown(
      overdue,
      each((one) => one.overdue),
    )
    shown(
      count,
      each(({ connections }) => connections),
    )
  })
}

function addBacklog(collected: Collected, { gauge }: Instruments, look: NonNullable<States['backlog']>) {
  const unplaced = gauge(
    'events_unplaced',
    'Committed events that the dispatcher has not placed in the log yet, up to 10,000.',
  )
  const oldest = gauge('events_oldest_unplaced_seconds', 'Age of the oldest event that is not placed yet.')
  collected.add('events', [unplaced, oldest], look, (found) => {
    unplaced.set(found.unplaced)
    oldest.set(found.oldestSeconds)
  })
}

function addDeliveries(
  collected: Collected,
  { gauge }: Instruments,
  look: NonNullable<States['deliveries']>,
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

function addJobs(collected: Collected, { gauge }: Instruments, look: NonNullable<States['jobCounts']>) {
  const jobs = gauge('queue_jobs', 'Jobs in the queue, by state.', ['job_name', 'state'])
  collected.add('queue', [jobs], look, (counts) => {
    for (const [job, states] of Object.entries(counts))
      shown(
        jobs,
        Object.entries(states).map(([state, value]) => ({ labels: { job_name: job, state }, value })),
      )
  })
}

function addPool(collected: Collected, { gauge }: Instruments, look: () => PoolUse | null) {
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

function addSockets(collected: Collected, { gauge }: Instruments, look: NonNullable<States['sockets']>) {
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
