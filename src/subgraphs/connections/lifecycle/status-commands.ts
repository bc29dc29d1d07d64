import type { Caller } from '../../../auth/caller.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import type { Connection } from '../connection.ts'
import { changeConnection } from '../update-connection.ts'
import type { Trigger } from './transitions.ts'

const statusCommand =
  (trigger: Trigger) =>
  (
    deps: ConnectionCommandDeps,
    caller: Caller,
    { connectionId = null }: { readonly connectionId?: string | null },
  ): Promise<Connection> =>
    changeConnection(deps, caller, { connectionId }, trigger)

/** Archives a connection. It is no longer synced and its events are not delivered; stored data stays readable. */
export const archiveConnection = statusCommand('set_archived')

/** Connects a disconnected or archived connection with its stored credentials, if the provider accepts them. */
export const resumeConnection = statusCommand('reconnect')

/** Disconnects a connection. The provider is no longer called until it is connected again. */
export const disconnectConnection = statusCommand('disconnect')

/** Cancels a requested deletion. The connection has its earlier status again. */
export const cancelConnectionDeletion = statusCommand('cancel_deletion')
