import type { Caller } from '../../../../auth/caller.ts'
import { PublicError } from '../../../../domain/errors.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import type { Instant } from '../../../../domain/time.ts'
import { accessTopic } from '../../../streams/topics.ts'
import { actorOf, recordAudit } from '../../../tables/audit-log.ts'
import { invalidMember } from '../../validate-input.ts'
import type { ConnectionCommandDeps } from '../../command-deps.ts'
import { ApiKey } from '../application.ts'
import { checkExpiry } from './create-key.ts'
import { lockApplication } from '../lock-application.ts'
import { endKey, lockKey } from './lock-key.ts'
import { isActive } from '../active-key.ts'
import { type NewKey, newKey } from './new-key.ts'
import { requireAdmin } from '../require-admin.ts'

export interface KeyRotationInput {
  readonly keyId: string
  readonly overlapSeconds?: number | null
  readonly expiresAt?: Instant | null
}

export interface RotatedKey extends NewKey {
  /** The key that it replaces, with the moment until which that is good. */
  readonly previous: ApiKey
}

export const DEFAULT_OVERLAP_SECONDS = 24 * 60 * 60
export const MAX_OVERLAP_SECONDS = 30 * 24 * 60 * 60

/**
 * Makes a key that replaces another: of the same use, name and scopes. The other stays good for an overlap, so that
 * servers can change over one by one; what it has opened ends with it, sessions too.
 */
export async function rotateKey(
  { db, clock, notifier }: Pick<ConnectionCommandDeps, 'db' | 'clock' | 'notifier'>,
  caller: Caller,
  { keyId, overlapSeconds, expiresAt }: KeyRotationInput,
): Promise<RotatedKey> {
  requireAdmin(caller)
  const at = clock.now()
  const overlap = checkedOverlap(overlapSeconds ?? DEFAULT_OVERLAP_SECONDS)
  checkExpiry(expiresAt ?? null, at)
  const { applicationId } = caller
  const rotated = await db.transaction(async (tx) => {
    const application = await lockApplication(tx, applicationId)
    const before = await lockKey(tx, applicationId, keyId)
    if (!isActive(before, at))
      throw new PublicError('unprocessable_entity', 'The key has expired: make another.')
    const { use, name, scopes } = before
    const made = newKey(application, { use, name, scopes, expiresAt: expiresAt ?? endLike(before, at) }, at)
    const previous = await endKey(tx, before, {
      expiresAt: Math.min(at + overlap * 1000, before.expiresAt ?? Infinity),
    })
    await tx.insert(tableOf(ApiKey), [made.key])
    const detail = { replacedBy: made.key.id, goodUntil: previous.expiresAt, expiresAt: made.key.expiresAt }
    await recordAudit(
      tx,
      { applicationId, actor: actorOf(caller), at },
      { action: 'key.rotated', targetId: keyId, detail },
    )
    return { ...made, previous }
  })
  notifier.notify(accessTopic(applicationId))
  return rotated
}

/** One that ends by itself is replaced by one that lasts as long. */
const endLike = ({ createdAt, expiresAt }: ApiKey, now: Instant): Instant | null =>
  expiresAt === null ? null : now + (expiresAt - createdAt)

function checkedOverlap(seconds: number): number {
  if (seconds >= 0 && seconds <= MAX_OVERLAP_SECONDS) return seconds
  throw invalidMember('overlapSeconds', `\`overlapSeconds\` must be from 0 to ${MAX_OVERLAP_SECONDS}.`)
}
