import { invalidMember } from '../../../../domain/errors.ts'
import type { Caller } from '../../../../auth/caller.ts'
import type { DocumentMode } from '../../../../auth/document-mode.ts'
import { type KeyScope, keyScopes } from '../../../../auth/key-scopes.ts'
import { MAX_POINTS_PER_MINUTE, MIN_POINTS_PER_MINUTE } from '../../../../domain/rate-limit.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import type { Instant } from '../../../../domain/time.ts'
import { requireQuota } from '../../../tables/application-quotas.ts'
import { actorOf, recordAudit } from '../../../tables/audit-log.ts'
import { validateText } from '../../validate-input.ts'
import type { ConnectionCommandDeps } from '../../command-deps.ts'
import { ApiKey } from '../application.ts'
import { ACTIVE_KEY } from '../active-key.ts'
import { lockApplication } from '../lock-application.ts'
import { type KeySettings, type NewKey, newKey, auditDetailOf } from './new-key.ts'
import { requireAdmin } from '../require-admin.ts'

export interface KeyInput {
  readonly use?: ApiKey['use'] | null
  readonly name?: string | null
  readonly scopes?: readonly string[] | null
  readonly expiresAt?: Instant | null
  readonly documentMode?: DocumentMode | null
  readonly pointsPerMinute?: number | null
}

/** Creates a key of an application. The existing keys stay valid. */
export async function createKey(
  { db, clock }: Pick<ConnectionCommandDeps, 'db' | 'clock'>,
  caller: Caller,
  input: KeyInput,
): Promise<NewKey> {
  requireAdmin(caller)
  const at = clock.now()
  const terms = validatedTerms(input, at)
  const { applicationId } = caller
  return db.transaction(async (tx) => {
    const created = newKey(await lockApplication(tx, applicationId), terms, at)
    await requireQuota(tx, applicationId, 'keys', { sql: ACTIVE_KEY, parameters: [at] })
    await tx.insert(tableOf(ApiKey), [created.key])
    await recordAudit(
      tx,
      { applicationId, actor: actorOf(caller), at },
      { action: 'key.created', targetId: created.key.id, detail: auditDetailOf(created.key) },
    )
    return created
  })
}

function validatedTerms(
  { use, name, scopes, expiresAt = null, documentMode = null, pointsPerMinute = null }: KeyInput,
  now: Instant,
): KeySettings {
  validateText('name', name)
  if (use === 'publishable' && scopes != null)
    throw invalidMember('scopes', 'A publishable key has no scopes: it only links accounts.')
  if (use === 'publishable' && documentMode !== null)
    throw invalidMember('documentMode', 'A publishable key runs no documents: it only links accounts.')
  if (use === 'publishable' && pointsPerMinute !== null)
    throw invalidMember('pointsPerMinute', 'A publishable key uses no points: it only links accounts.')
  checkExpiry(expiresAt, now)
  checkRate(pointsPerMinute)
  return {
    use: use ?? 'secret',
    name: name || null,
    scopes: validatedScopes(scopes),
    expiresAt,
    documentMode,
    pointsPerMinute,
  }
}

export function checkExpiry(expiresAt: Instant | null, now: Instant): void {
  if (expiresAt !== null && expiresAt <= now)
    throw invalidMember('expiresAt', '`expiresAt` must be in the future.')
}

function checkRate(points: number | null): void {
  if (points !== null && (points < MIN_POINTS_PER_MINUTE || points > MAX_POINTS_PER_MINUTE))
    throw invalidMember(
      'pointsPerMinute',
      `\`pointsPerMinute\` must be from ${MIN_POINTS_PER_MINUTE} to ${MAX_POINTS_PER_MINUTE}.`,
    )
}

/** Returns the unique scopes in a fixed order. */
function validatedScopes(scopes: readonly string[] | null | undefined): KeyScope[] | null {
  if (scopes == null) return null
  if (scopes.length === 0)
    throw invalidMember('scopes', '`scopes` must contain at least one scope. Omit the list for the default.')
  const validScopes: readonly string[] = keyScopes
  const unknown = scopes.find((scope) => !validScopes.includes(scope))
  if (unknown !== undefined)
    throw invalidMember(
      'scopes',
      `There is no scope \`${unknown.slice(0, 50)}\`. Valid scopes: ${keyScopes.join(', ')}.`,
    )
  return keyScopes.filter((scope) => scopes.includes(scope))
}
