import type { Caller } from '../../auth/caller.ts'
import type { LiveFrom } from '../live.ts'
import { createKey } from './applications/keys/create-key.ts'
import { revokeKey } from './applications/keys/revoke-key.ts'
import { rotateKey } from './applications/keys/rotate-key.ts'
import { updateApplication } from './applications/update-application.ts'
import { archiveConnection } from './life/archive-connection.ts'
import { cancelSync } from './syncs/cancel-sync.ts'
import { deleteConnection } from './life/delete-connection.ts'
import { exchangePublicToken } from './tokens/exchange-public-token.ts'
import { linkConnection } from './life/link-connection.ts'
import { createShortLink } from './short-links/create-short-link.ts'
import { deleteShortLink } from './short-links/delete-short-link.ts'
import { createSession } from './sessions/create-session.ts'
import { revokeSession } from './sessions/revoke-session.ts'
import { passThrough } from './providers/pass-through.ts'
import { removeProviderWebhook } from './provider-webhooks/remove-provider-webhook.ts'
import { setProviderWebhook } from './provider-webhooks/set-provider-webhook.ts'
import { requestSyncNow } from './syncs/request-sync.ts'
import { resolveIssue } from './issues/resolve-issue.ts'
import { retrySync } from './syncs/retry-sync.ts'
import { updateConnection } from './update-connection.ts'
import type { ConnectionWritesFrom } from './writes-from.ts'

type Verb<Input, Result> = (
  from: ConnectionWritesFrom & LiveFrom,
  caller: Caller,
  input: Input,
) => Promise<Result>

/** The verbs of this subgraph, bound to one caller. `forget` drops what the operation has read before a write. */
export function connectionWrites(from: ConnectionWritesFrom & LiveFrom, caller: Caller, forget: () => void) {
  const bound =
    <Input, Result>(verb: Verb<Input, Result>) =>
    async (input: Input): Promise<Result> => {
      const result = await verb(from, caller, input)
      forget()
      return result
    }
  return {
    exchangePublicToken: bound(exchangePublicToken),
    linkConnection: bound(linkConnection),
    updateConnection: bound(updateConnection),
    archiveConnection: bound(archiveConnection),
    deleteConnection: bound(deleteConnection),
    requestSync: bound(requestSyncNow),
    retrySync: bound(retrySync),
    cancelSync: bound(cancelSync),
    resolveIssue: bound(resolveIssue),
    passThrough: bound(passThrough),
    setProviderWebhook: bound(setProviderWebhook),
    removeProviderWebhook: bound(removeProviderWebhook),
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

export type ConnectionWrites = ReturnType<typeof connectionWrites>

export interface ConnectionWritesContext {
  readonly writes: ConnectionWrites
}
