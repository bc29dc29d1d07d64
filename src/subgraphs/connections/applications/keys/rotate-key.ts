import type { Caller } from '../../../../auth/caller.ts'
import { PublicError } from '../../../../errors.ts'
import { tableOf } from '../../../../storage/table.ts'
import type { Instant } from '../../../../time.ts'
import { accessTopic } from '../../../access.ts'
import { actorOf, remember } from '../../../audit.ts'
import { refused } from '../../check-input.ts'
import type { ConnectionWritesFrom } from '../../writes-from.ts'
import { ApiKey } from '../application.ts'
import { checkExpiry } from './create-key.ts'
import { heldApplication } from '../held-application.ts'
import { endKey, heldKey } from './held-key.ts'
import { isLive } from '../live-key.ts'
import { type NewKey, newKey } from './new-key.ts'
import { refuseUnlessAdmin } from '../refuse-unless-admin.ts'

export interface RotationWish {
  readonly keyId: string
  readonly overlapSeconds?: number | null
  readonly expiresAt?: Instant | null
}

export interface RotatedKey extends NewKey {
  /** The key that it replaces, with the moment until which that is good. */
  readonly previous: ApiKey
}

export const PRESET_OVERLAP_SECONDS = 24 * 60 * 60
export const MOST_OVERLAP_SECONDS = 30 * 24 * 60 * 60

/**
 * Makes a key that replaces another: of the same use, name and scopes. The other stays good for an overlap, so that
 * servers can change over one by one; what it has opened ends with it, sessions too.
 */
export async function rotateKey(
  { db, clock, doorbell }: Pick<ConnectionWritesFrom, 'db' | 'clock' | 'doorbell'>,
  caller: Caller,
  { keyId, overlapSeconds, expiresAt }: RotationWish,
): Promise<RotatedKey> {
  refuseUnlessAdmin(caller)
  const at = clock.now()
  const overlap = checkedOverlap(overlapSeconds ?? PRESET_OVERLAP_SECONDS)
  checkExpiry(expiresAt ?? null, at)
  const { applicationId } = caller
  const rotated = await db.transaction(async (tx) => {
    const application = await heldApplication(tx, applicationId)
    const before = await heldKey(tx, applicationId, keyId)
    if (!isLive(before, at))
      throw new PublicError('unprocessable_entity', 'The key has expired: make another.')
    const { use, name, scopes } = before
    const made = newKey(application, { use, name, scopes, expiresAt: expiresAt ?? endLike(before, at) }, at)
    const previous = await endKey(tx, before, {
      expiresAt: Math.min(at + overlap * 1000, before.expiresAt ?? Infinity),
    })
    await tx.insert(tableOf(ApiKey), [made.key])
    const detail = { replacedBy: made.key.id, goodUntil: previous.expiresAt, expiresAt: made.key.expiresAt }
    await remember(
      tx,
      { applicationId, actor: actorOf(caller), at },
      { action: 'key.rotated', targetId: keyId, detail },
    )
    return { ...made, previous }
  })
  doorbell.ring(accessTopic(applicationId))
  return rotated
}

/** One that ends by itself is replaced by one that lasts as long. */
const endLike = ({ createdAt, expiresAt }: ApiKey, now: Instant): Instant | null =>
  expiresAt === null ? null : now + (expiresAt - createdAt)

function checkedOverlap(seconds: number): number {
  if (seconds >= 0 && seconds <= MOST_OVERLAP_SECONDS) return seconds
  throw refused('overlapSeconds', `\`overlapSeconds\` must be from 0 to ${MOST_OVERLAP_SECONDS}.`)
}
