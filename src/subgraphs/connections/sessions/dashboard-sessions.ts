import { type Caller, requireKeyScope } from '../../../auth/caller.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { SessionRole } from '../../../auth/session-roles.ts'
import { createSession, MAX_LIFETIME_SECONDS, type NewSession } from './create-session.ts'
import { revokeSession } from './revoke-session.ts'
import { openSignInLink } from './open-sign-in-link.ts'

/** Sessions of people who use the dashboard. */
export interface DashboardSessions {
  /** Opens the session of a sign-in link. Throws `unauthorized` for a code that is unknown, spent or expired. */
  openLink(code: string): Promise<NewSession>
  /** Creates a session with the rights of a secret key. Throws `forbidden` if the key may not create sessions. */
  create(keyHolder: Caller): Promise<NewSession>
  /** Ends the session of the caller. */
  signOut(caller: Caller): Promise<void>
}

export const dashboardSessions = (
  deps: Pick<ConnectionCommandDeps, 'db' | 'secrets' | 'clock' | 'notifier'>,
): DashboardSessions => ({
  openLink: (code) => openSignInLink(deps, code),
  async create(keyHolder) {
    requireKeyScope(keyHolder, 'sessions:write')
    return createSession(deps, keyHolder, { expiresInSeconds: MAX_LIFETIME_SECONDS }, SessionRole.ADMIN)
  },
  async signOut(caller) {
    if (caller.session !== null) await revokeSession(deps, caller, { sessionId: caller.session.id })
  },
})
