import { type Caller, requireSecretKey } from '../../../auth/caller.ts'
import type { Tenant } from '../../../domain/tenant-scope.ts'

/** Webhooks are the application's: neither who speaks for one connection nor a browser's session has a part in them. */
export function requireApplication(caller: Caller): Tenant {
  requireSecretKey(caller, 'Webhooks')
  return { applicationId: caller.applicationId, connectionIds: null }
}
