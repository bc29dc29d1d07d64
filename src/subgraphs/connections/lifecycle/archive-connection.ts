import type { Caller } from '../../../auth/caller.ts'
import { type Connection, ConnectionStatus } from '../connection.ts'
import { updateConnection } from '../update-connection.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'

/**
 * Archives a connection. It is no longer synced and its events are not delivered; stored data stays readable.
 */
export const archiveConnection = (
  deps: ConnectionCommandDeps,
  caller: Caller,
  { connectionId }: { readonly connectionId?: string | null },
): Promise<Connection> =>
  updateConnection(deps, caller, {
    status: ConnectionStatus.ARCHIVED,
    ...(connectionId === undefined ? {} : { connectionId }),
  })
