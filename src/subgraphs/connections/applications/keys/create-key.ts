import type { Caller } from '../../../../auth/caller.ts'
import { type KeyScope, keyScopes } from '../../../../auth/key-scopes.ts'
import { tableOf } from '../../../../storage/table.ts'
import type { Instant } from '../../../../time.ts'
import { actorOf, remember } from '../../../audit.ts'
import { checkText, refused } from '../../check-input.ts'
import type { ConnectionWritesFrom } from '../../writes-from.ts'
import { ApiKey } from '../application.ts'
import { heldApplication } from '../held-application.ts'
import { type KeyTerms, type NewKey, newKey, termsIn } from './new-key.ts'
import { refuseUnlessAdmin } from '../refuse-unless-admin.ts'

export interface KeyWish {
  readonly use?: ApiKey['use'] | null
  readonly name?: string | null
  readonly scopes?: readonly string[] | null
  readonly expiresAt?: Instant | null
}

/** Makes a further key of an application; the ones that it has stay good. */
export async function createKey(
  { db, clock }: Pick<ConnectionWritesFrom, 'db' | 'clock'>,
  caller: Caller,
  wish: KeyWish,
): Promise<NewKey> {
  refuseUnlessAdmin(caller)
  const at = clock.now()
  const terms = checkedTerms(wish, at)
  const { applicationId } = caller
  return db.transaction(async (tx) => {
    const made = newKey(await heldApplication(tx, applicationId), terms, at)
    await tx.insert(tableOf(ApiKey), [made.key])
    await remember(
      tx,
      { applicationId, actor: actorOf(caller), at },
      { action: 'key.created', targetId: made.key.id, detail: termsIn(made.key) },
    )
    return made
  })
}

function checkedTerms({ use, name, scopes, expiresAt = null }: KeyWish, now: Instant): KeyTerms {
  checkText('name', name)
  if (use === 'publishable' && scopes != null)
    throw refused('scopes', 'A publishable key has no scopes: it only links accounts.')
  checkExpiry(expiresAt, now)
  return { use: use ?? 'secret', name: name || null, scopes: checkedScopes(scopes), expiresAt }
}

export function checkExpiry(expiresAt: Instant | null, now: Instant): void {
  if (expiresAt !== null && expiresAt <= now) throw refused('expiresAt', '`expiresAt` must be in the future.')
}

/** Each once, in one order. */
function checkedScopes(scopes: readonly string[] | null | undefined): KeyScope[] | null {
  if (scopes == null) return null
  if (scopes.length === 0) throw refused('scopes', 'Name a scope, or leave `scopes` out.')
  const known: readonly string[] = keyScopes
  const unknown = scopes.find((scope) => !known.includes(scope))
  if (unknown !== undefined)
    throw refused(
      'scopes',
      `There is no scope \`${unknown.slice(0, 50)}\`. There are ${keyScopes.join(', ')}.`,
    )
  return keyScopes.filter((scope) => scopes.includes(scope))
}
