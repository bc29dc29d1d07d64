import { type Caller, requireSecretKey, requireKeyScope } from '../../../auth/caller.ts'

/** The application and its keys are for whoever has the scope `admin`, and for an operator. */
export function requireAdmin(caller: Caller): void {
  requireSecretKey(caller, 'The application and its keys')
  requireKeyScope(caller, 'admin')
}
