import type { Caller } from '../../auth/caller.ts'
import type { ProviderCallDeps } from '../on-demand/provider-calls.ts'
import { createKey } from './applications/keys/create-key.ts'
import { revokeKey } from './applications/keys/revoke-key.ts'
import { rotateKey } from './applications/keys/rotate-key.ts'
import { updateApplication } from './applications/update-application.ts'
import {
  archiveConnection,
  cancelConnectionDeletion,
  disconnectConnection,
  resumeConnection,
} from './lifecycle/status-commands.ts'
import { cancelSync } from './syncs/cancel-sync.ts'
import { deleteConnection } from './lifecycle/delete-connection.ts'
import { exchangePublicToken } from './tokens/exchange-public-token.ts'
import { linkConnection } from './lifecycle/link-connection.ts'
import { createShortLink } from './short-links/create-short-link.ts'
import { deleteShortLink } from './short-links/delete-short-link.ts'
import { createSession } from './sessions/create-session.ts'
import { revokeSession } from './sessions/revoke-session.ts'
import { sendPassthroughRequest } from './providers/passthrough.ts'
import { removeProviderWebhook } from './provider-webhooks/remove-provider-webhook.ts'
import { setProviderWebhook } from './provider-webhooks/set-provider-webhook.ts'
import { confirmRemovals, denyRemovals, liftRemovalDecisions } from './removals/decide-removals.ts'
import { requestSyncNow } from './syncs/request-sync.ts'
import { resolveIssue } from './issues/resolve-issue.ts'
import { retrySync } from './syncs/retry-sync.ts'
import { updateConnection } from './update-connection.ts'
import type { ConnectionCommandDeps } from './command-deps.ts'

type Command<Input, Result> = (
  deps: ConnectionCommandDeps & ProviderCallDeps,
  caller: Caller,
  input: Input,
) => Promise<Result>

/**
 * Commands of this subgraph, bound to one caller. After each command, `clearReads` drops what the operation has read,
 * so that its later fields read the changed data.
 */
export function connectionCommands(
  deps: ConnectionCommandDeps & ProviderCallDeps,
  caller: Caller,
  clearReads: () => void,
) {
  const bound =
    <Input, Result>(command: Command<Input, Result>) =>
    async (input: Input): Promise<Result> => {
      const result = await command(deps, caller, input)
      clearReads()
      return result
    }
  return {
    exchangePublicToken: bound(exchangePublicToken),
    linkConnection: bound(linkConnection),
    updateConnection: bound(updateConnection),
    archiveConnection: bound(archiveConnection),
    reconnectConnection: bound(resumeConnection),
    disconnectConnection: bound(disconnectConnection),
    cancelConnectionDeletion: bound(cancelConnectionDeletion),
    deleteConnection: bound(deleteConnection),
    requestSync: bound(requestSyncNow),
    retrySync: bound(retrySync),
    cancelSync: bound(cancelSync),
    resolveIssue: bound(resolveIssue),
    passThrough: bound(sendPassthroughRequest),
    setProviderWebhook: bound(setProviderWebhook),
    removeProviderWebhook: bound(removeProviderWebhook),
    confirmRemovals: bound(confirmRemovals),
    denyRemovals: bound(denyRemovals),
    liftRemovalDecisions: bound(liftRemovalDecisions),
    createSession: bound(createSession),
    revokeSession: bound(revokeSession),
    createShortLink: bound(createShortLink),
    deleteShortLink: bound(deleteShortLink),
    updateApplication: bound(updateApplication),
    createKey: bound(createKey),
    rotateKey: bound(rotateKey),
    revokeKey: bound(revokeKey),
  }
}

export type ConnectionCommands = ReturnType<typeof connectionCommands>

export interface ConnectionCommandsContext {
  readonly writes: ConnectionCommands
}
