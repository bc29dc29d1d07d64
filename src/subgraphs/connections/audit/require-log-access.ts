import { type Caller, requireSecretKey } from '../../../auth/caller.ts'
import { PublicError } from '../../../domain/errors.ts'

/**
 * Requires a secret key with the scope `admin`, or an operator, who has no key. Refuses a caller without an application
 * id: entries without one concern the whole service, and only the command line shows them.
 */
export function requireLogAccess(caller: Caller, log: 'audit log' | 'request log'): void {
  requireSecretKey(caller, `The entries of the ${log}`)
  const { applicationId, key } = caller
  if (applicationId !== '' && (key === null || key.scopes?.includes('admin'))) return
  throw new PublicError('forbidden', `The ${log} requires a secret key with the scope admin.`)
}
