import { randomInt } from 'node:crypto'
import { sha256 } from '../../../domain/sha256.ts'
import { type Caller, requireSecretKey } from '../../../auth/caller.ts'
import { newId } from '../../../domain/ids.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Instant } from '../../../domain/time.ts'
import { requireQuota } from '../../tables/application-quotas.ts'
import { actorOf, recordAudit } from '../../tables/audit-log.ts'
import { lockApplication } from '../applications/lock-application.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { linkApplication } from '../linking/link-application.ts'
import { validateSettings, type LinkInput } from '../linking/validate-settings.ts'
import type { LinkSettings } from '../linking/link-run.ts'
import { ShortLink } from './short-link.ts'
import { findShortLinkBySettings, validShortLinkWhere } from './find-short-link.ts'

/** Settings without `state`, which belongs to one link run: many fleets follow one short link. */
export type ShortLinkInput = Omit<LinkInput, 'state'>

export interface CreatedShortLink {
  readonly shortLink: ShortLink
  /** Whether a link with the same settings already existed. */
  readonly replayed: boolean
}

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const CODE_LENGTH = 8

/** Creates a short link, or returns the one with the same settings. Concurrent calls return the same link. */
export async function createShortLink(
  { db, registry, clock }: Pick<ConnectionCommandDeps, 'db' | 'registry' | 'clock'>,
  caller: Caller,
  input: ShortLinkInput,
): Promise<CreatedShortLink> {
  requireSecretKey(caller, 'Short links')
  const { applicationId } = caller
  const now = clock.now()
  const application = await linkApplication(db, applicationId)
  if (!application) throw new Error(`application ${applicationId} no longer exists`)
  const settings = validateSettings(input, { registry, application, now })
  const row = shortLinkRow(applicationId, settings, now)
  const existing = await findShortLinkBySettings(db, row, now)
  if (existing) return { shortLink: existing, replayed: true }
  return db.transaction(async (tx) => {
    // The lock serializes concurrent calls, which would not see each other's link.
    await lockApplication(tx, applicationId)
    const concurrent = await findShortLinkBySettings(tx, row, now)
    if (concurrent) return { shortLink: concurrent, replayed: true }
    await requireQuota(tx, applicationId, 'shortLinks', validShortLinkWhere(now))
    await tx.insert(tableOf(ShortLink), [row])
    const change = { action: 'short_link.created', targetId: row.id }
    await recordAudit(tx, { applicationId, actor: actorOf(caller), at: now }, change)
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
  bodyHash: sha256(JSON.stringify(settings)),
  settings,
  createdAt: now,
  expiresAt: yearAfter(now),
  deletedAt: null,
})

/** Returns eight random characters of an alphabet of 31, without characters that look alike. */
const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

function yearAfter(now: Instant): Instant {
  const date = new Date(now)
  return date.setUTCFullYear(date.getUTCFullYear() + 1)
}
