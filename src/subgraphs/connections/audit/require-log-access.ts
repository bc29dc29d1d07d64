import { type Caller, requireSecretKey, scopedAccessOf } from '../../../auth/caller.ts'
import { permits } from '../../../auth/key-scopes.ts'
import { PublicError } from '../../../domain/errors.ts'

/**
 * Requires a secret key or a session with the scope `admin`, or an operator, who has neither. Refuses a caller without
 * an application id: entries without one concern the whole service, and only the command line shows them.
 */
export function requireLogAccess(caller: Caller, log: 'audit log' | 'request log'): void {
  requireSecretKey(caller, `The entries of the ${log}`)
  const access = scopedAccessOf(caller)
  if (caller.applicationId !== '' && (access === null || permits(access.scopes, 'admin'))) return
  throw new PublicError('forbidden', `The ${log} requires a secret key with the scope admin.`)
}
