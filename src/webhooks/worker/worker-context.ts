import type { Logger } from '../../platform/logging/log.ts'
import type { OutboundHttp } from '../../platform/outbound-http/outbound-http.ts'
import type { Database } from '../../storage/database.ts'
import type { Clock } from '../../domain/time.ts'
import type { PayloadBuilder } from '../messages/build-payloads.ts'
import type { ConnectionCache } from './connection-cache.ts'
import type { LogWindowReader } from '../messages/event-log-window.ts'
import type { ResultWriter } from '../results/result-writer.ts'
import type { ConcurrencyLimiter } from './concurrency-limiter.ts'

/** Dependencies that the senders of a worker share. */
export interface WorkerContext {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly outboundHttp: Pick<OutboundHttp, 'post'>
  readonly payloadBuilder: PayloadBuilder
  readonly windows: LogWindowReader
  readonly connections: ConnectionCache
  readonly concurrency: ConcurrencyLimiter
  readonly resultWriter: ResultWriter
  /** Number of messages that a sender reads at once. */
  windowSize(): number
  /** Whether leases and endpoint settings were confirmed recently; confirms them now if not. */
  isConfirmed(): Promise<boolean>
  /** Aborted when the worker gives up its in-flight messages. */
  readonly signal: AbortSignal
}
