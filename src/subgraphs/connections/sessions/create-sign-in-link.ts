import { hashKey, newSignInCode } from '../../../auth/keys.ts'
import { SessionRole } from '../../../auth/session-roles.ts'
import { sessionScopes } from '../../../auth/session-scopes.ts'
import { type Id, newId } from '../../../domain/ids.ts'
import type { Actor } from '../../tables/audit-log.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { storeSession } from './create-session.ts'
import type { Session } from './session.ts'

interface SignInLinkInput {
  readonly applicationId: Id<'application'>
  /** Name of the person who gets the link. */
  readonly name: string | null
  readonly role: `${SessionRole}`
  readonly actor: Actor
}

export interface NewSignInLink {
  /** Code with which a person signs in once. It is returned only here; its hash is stored. */
  readonly code: string
  /** Session to which the code leads. Until the sign-in it expires with the link. */
  readonly session: Session
}

const LINK_LIFETIME_MS = 60 * 60 * 1000

/** Creates a session of the dashboard that has no token until a person signs in with its code. */
export async function createSignInLink(
  { db, clock }: Pick<ConnectionCommandDeps, 'db' | 'clock'>,
  { applicationId, name, role, actor }: SignInLinkInput,
): Promise<NewSignInLink> {
  const now = clock.now()
  const code = newSignInCode()
  const session: Session = {
    id: newId('session', now),
    applicationId,
    name,
    role: SessionRole[role],
    connectionIds: null,
    scopes: [...sessionScopes],
    createdAt: now,
    expiresAt: now + LINK_LIFETIME_MS,
    revokedAt: null,
    keyId: null,
    signInCodeHash: hashKey(code),
  }
  await db.transaction((tx) => storeSession(tx, actor, session))
  return { code, session }
}
