import { type Caller, refuseUnlessKeyAlone } from '../../../auth/caller.ts'
import type { Tenant } from '../../../tenant.ts'

/** Webhooks are the application's: neither who speaks for one connection nor a browser's session has a part in them. */
export function applicationOf(caller: Caller): Tenant {
  refuseUnlessKeyAlone(caller, 'Webhooks')
  return { applicationId: caller.applicationId, connectionIds: null }
}
