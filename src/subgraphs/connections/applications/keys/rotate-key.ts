import type { Caller } from '../../../../auth/caller.ts'
import { PublicError, invalidMember } from '../../../../domain/errors.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import type { Instant } from '../../../../domain/time.ts'
import { accessTopic } from '../../../streams/topics.ts'
import { requireQuota } from '../../../tables/application-quotas.ts'
import { actorOf, recordAudit } from '../../../tables/audit-log.ts'
import type { ConnectionCommandDeps } from '../../command-deps.ts'
import { ApiKey } from '../application.ts'
import { checkExpiry } from './create-key.ts'
import { lockApplication } from '../lock-application.ts'
import { endKey, lockKey } from './lock-key.ts'
import { ACTIVE_KEY, isActiveKey } from '../active-key.ts'
import { type NewKey, newKey } from './new-key.ts'
import { requireAdmin } from '../require-admin.ts'

export interface KeyRotationInput {
  readonly keyId: string
  readonly overlapSeconds?: number | null
  readonly expiresAt?: Instant | null
}

export interface RotatedKey extends NewKey {
  /** Replaced key, with the end of its validity. */
  readonly previous: ApiKey
}

export const DEFAULT_KEY_OVERLAP_SECONDS = 24 * 60 * 60
export const MAX_OVERLAP_SECONDS = 30 * 24 * 60 * 60

/**
 * Creates a key that replaces another, with the same use, name, scopes, document mode and rate. The replaced key stays
 * valid for the overlap, so that servers can switch one by one. Its sessions and open streams end with it.
 */
export async function rotateKey(
  { db, clock, notifier }: Pick<ConnectionCommandDeps, 'db' | 'clock' | 'notifier'>,
  caller: Caller,
  { keyId, overlapSeconds, expiresAt }: KeyRotationInput,
): Promise<RotatedKey> {
  requireAdmin(caller)
  const at = clock.now()
  const overlapMs = validatedOverlap(overlapSeconds ?? DEFAULT_KEY_OVERLAP_SECONDS) * 1000
  checkExpiry(expiresAt ?? null, at)
  const { applicationId } = caller
  const rotated = await db.transaction(async (tx) => {
    const application = await lockApplication(tx, applicationId)
    const before = await lockKey(tx, applicationId, keyId)
    if (!isActiveKey(before, at))
      throw new PublicError('unprocessable_entity', 'The key has expired. Create another key.')
    const { use, name, scopes, documentMode, pointsPerMinute } = before
    const created = newKey(
      application,
      {
        use,
        name,
        scopes,
        documentMode,
        pointsPerMinute,
        expiresAt: expiresAt ?? expiryWithLifetimeOf(before, at),
      },
      at,
    )
    const previous = await endKey(tx, before, {
      expiresAt: Math.min(at + overlapMs, before.expiresAt ?? Infinity),
    })
    await requireQuota(tx, applicationId, 'keys', { sql: ACTIVE_KEY, parameters: [at] })
    await tx.insert(tableOf(ApiKey), [created.key])
    const detail = {
      replacedBy: created.key.id,
      goodUntil: previous.expiresAt,
      expiresAt: created.key.expiresAt,
    }
    await recordAudit(
      tx,
      { applicationId, actor: actorOf(caller), at },
      { action: 'key.rotated', targetId: keyId, detail },
    )
    return { ...created, previous }
  })
  notifier.notify(accessTopic(applicationId))
  return rotated
}

/** Returns the expiry of a new key that has the lifetime of the replaced key. */
const expiryWithLifetimeOf = ({ createdAt, expiresAt }: ApiKey, now: Instant): Instant | null =>
  expiresAt === null ? null : now + (expiresAt - createdAt)

function validatedOverlap(seconds: number): number {
  if (seconds >= 0 && seconds <= MAX_OVERLAP_SECONDS) return seconds
  throw invalidMember('overlapSeconds', `\`overlapSeconds\` must be from 0 to ${MAX_OVERLAP_SECONDS}.`)
}
