import { newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { ShortLink } from '../../../src/subgraphs/connections/short-links/short-link.ts'
import { DAY, NOON } from '../factories.ts'

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

const codeAt = (at: number): string =>
  Array.from({ length: 8 }, (_, place) => ALPHABET[Math.floor(at / 31 ** place) % 31]).join('')

let seeded = 0

/** Stores short links that do not expire. */
export async function seedShortLinks(
  db: Database,
  applicationId: string,
  count: number,
  values: Partial<ShortLink> = {},
): Promise<ShortLink[]> {
  const rows = Array.from({ length: count }, (): ShortLink => {
    const code = codeAt(++seeded)
    return {
      id: newId('shortLink'),
      applicationId,
      code,
      bodyHash: `hash-${code}`,
      settings: { externalId: `planted-${code}` },
      createdAt: NOON,
      expiresAt: NOON + 36_500 * DAY,
      deletedAt: null,
      ...values,
    }
  })
  await db.transaction((tx) => tx.insert(tableOf(ShortLink), rows))
  return rows
}
