import { createHash, randomInt } from 'node:crypto'
import { type Caller, refuseUnlessKeyAlone } from '../../../auth/caller.ts'
import { newId } from '../../../ids.ts'
import { tableOf } from '../../../storage/table.ts'
import type { Instant } from '../../../time.ts'
import { actorOf, remember } from '../../audit.ts'
import { heldApplication } from '../applications/held-application.ts'
import type { ConnectionWritesFrom } from '../writes-from.ts'
import { linkApplication } from '../linking/link-application.ts'
import { checkedSettings, type LinkWish } from '../linking/check-settings.ts'
import type { LinkSettings } from '../linking/link-run.ts'
import { ShortLink } from './short-link.ts'
import { shortLinkFor } from './short-links.ts'

/** There is no `state` among them: one link is followed by many. */
export type ShortLinkWish = Omit<LinkWish, 'state'>

export interface MadeShortLink {
  readonly shortLink: ShortLink
  /** Whether there was one for the same settings already. */
  readonly replayed: boolean
}

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const CODE_LENGTH = 8

/** Makes a short link, or gives the one that was made for the same settings, also to two callers at once. */
export async function createShortLink(
  { db, registry, clock }: Pick<ConnectionWritesFrom, 'db' | 'registry' | 'clock'>,
  caller: Caller,
  wish: ShortLinkWish,
): Promise<MadeShortLink> {
  refuseUnlessKeyAlone(caller, 'Short links')
  const { applicationId } = caller
  const now = clock.now()
  const application = await linkApplication(db, applicationId)
  if (!application) throw new Error(`application ${applicationId} is gone`)
  const settings = checkedSettings(wish, { registry, application, now })
  const row = shortLinkRow(applicationId, settings, now)
  const before = await shortLinkFor(db, row, now)
  if (before) return { shortLink: before, replayed: true }
  return db.transaction(async (tx) => {
    // One after another: two at the same time would not see each other's link.
    await heldApplication(tx, applicationId)
    const meanwhile = await shortLinkFor(tx, row, now)
    if (meanwhile) return { shortLink: meanwhile, replayed: true }
    await tx.insert(tableOf(ShortLink), [row])
    const act = { action: 'short_link.created', targetId: row.id }
    await remember(tx, { applicationId, actor: actorOf(caller), at: now }, act)
    return { shortLink: row, replayed: false }
  })
}

const shortLinkRow = (
  applicationId: ShortLink['applicationId'],
  settings: LinkSettings,
  now: Instant,
): ShortLink => ({
  id: newId('shortLink', now),
  applicationId,
  code: newCode(),
  bodyHash: createHash('sha256').update(JSON.stringify(settings)).digest('base64url'),
  settings,
  createdAt: now,
  expiresAt: yearAfter(now),
  deletedAt: null,
})

/** Eight of 31 characters, none of which is taken for another. */
const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

function yearAfter(now: Instant): Instant {
  const date = new Date(now)
  return date.setUTCFullYear(date.getUTCFullYear() + 1)
}
