import type { Logger } from '../../platform/logging/log.ts'
import type { OutboundHttp } from '../../platform/outbound-http/outbound-http.ts'
import type { Database } from '../../storage/database.ts'
import type { Clock } from '../../domain/time.ts'
import type { PayloadCache } from '../messages/payload-cache.ts'
import type { ConnectionCache } from './connection-cache.ts'
import type { LogWindowReader } from '../messages/event-log-window.ts'
import type { ResultWriter } from '../results/result-writer.ts'
import type { ConcurrencyLimiter } from './concurrency-limiter.ts'

/** What the endpoints of a worker share. */
export interface WorkerContext {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly outboundHttp: Pick<OutboundHttp, 'post'>
  readonly bodies: PayloadCache
  readonly windows: LogWindowReader
  readonly connections: ConnectionCache
  readonly concurrency: ConcurrencyLimiter
  readonly resultWriter: ResultWriter
  /** How many messages an endpoint reads at once. */
  windowSize(): number
  /** Whether all endpoints' settings and leases are known to be as they were a moment ago; it may look. */
  isConfirmed(): Promise<boolean>
  /** Aborted when what is under way is given up. */
  readonly signal: AbortSignal
}
