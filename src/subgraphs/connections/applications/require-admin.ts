import { type Caller, requireSecretKey, requireKeyScope } from '../../../auth/caller.ts'

/** Requires the scope `admin`, or an operator: only they may manage the application and its keys. */
export function requireAdmin(caller: Caller): void {
  requireSecretKey(caller, 'The application and its keys')
  requireKeyScope(caller, 'admin')
}
