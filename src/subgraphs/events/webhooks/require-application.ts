import { type Caller, requireSecretKey } from '../../../auth/caller.ts'
import type { Tenant } from '../../../domain/tenant-scope.ts'

/** Requires the secret key of an application. Webhooks refuse connection tokens and browser sessions. */
export function requireApplication(caller: Caller): Tenant {
  requireSecretKey(caller, 'Webhooks')
  return { applicationId: caller.applicationId, connectionIds: null }
}
