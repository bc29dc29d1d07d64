import type { Id } from '../../domain/ids.ts'
import type { Instant } from '../../domain/time.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'

/** Connection and sync for which a transaction writes. */
export interface WriteContext {
  readonly connection: Connection
  /** Sync that read the records. Null if the write is not part of a sync. */
  readonly syncId: Id<'sync'> | null
  /** Version stamp of this transaction. The stamps of a connection always increase. */
  readonly stamp: Instant
}
