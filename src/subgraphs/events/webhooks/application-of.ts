import type { Caller } from '../../../auth/caller.ts'
import { PublicError } from '../../../errors.ts'
import type { Tenant } from '../../../tenant.ts'

/** Webhooks are the application's: neither who speaks for one connection nor a browser's session has a part in them. */
export function applicationOf({ applicationId, connectionIds, session }: Caller): Tenant {
  if (connectionIds === null && session === null) return { applicationId, connectionIds }
  throw new PublicError('forbidden', 'Webhooks are managed with the secret key alone.', {
    detail: 'Leave the Connection-Token header out.',
  })
}
