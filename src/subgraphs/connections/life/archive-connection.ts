import type { Caller } from '../../../auth/caller.ts'
import { type Connection, ConnectionStatus } from '../connection.ts'
import { updateConnection } from '../update-connection.ts'
import type { ConnectionWritesFrom } from '../writes-from.ts'

/** Takes a connection out of view: nothing is synced or delivered, what is stored stays readable. */
export const archiveConnection = (
  from: ConnectionWritesFrom,
  caller: Caller,
  { connectionId }: { readonly connectionId?: string | null },
): Promise<Connection> =>
  updateConnection(from, caller, {
    status: ConnectionStatus.ARCHIVED,
    ...(connectionId === undefined ? {} : { connectionId }),
  })
