import type { Id } from '../../domain/ids.ts'
import type { Instant } from '../../domain/time.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'

/** Connection and sync that a transaction writes for. */
export interface WriteContext {
  readonly connection: Connection
  /** Null where no sync has seen what is written. */
  readonly syncId: Id<'sync'> | null
  /** The connection's clock in this transaction: later than every stamp before. */
  readonly stamp: Instant
}
