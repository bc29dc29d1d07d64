import type { Reader } from '../../providers/provider.ts'
import type { Instant } from '../../domain/time.ts'

/** A record of a page: what the provider sent and what it says in our words. */
export interface ParsedRecord<Draft> {
  readonly normalized: Draft
  readonly raw: unknown
  /** Of what was sent before and is read again: that it stays so. */
  readonly sent?: SentRecord
}

/** Under which name a provider sent something, and when. */
export interface SentRecord {
  readonly schemaName: string
  readonly extractedAt: Instant
}

/** Maximum length of a record as JSON. Its row must fit into one statement, even if every character takes three bytes. */
const MAX_RECORD_LENGTH = 256 * 1024

/** What can be read of a page; what cannot is left out, so that the others are stored. */
export function parsePage<Draft>(
  { normalize }: Pick<Reader<Draft>, 'normalize'>,
  records: readonly unknown[],
  asOf: Instant,
  quarantined: (raw: unknown, error: unknown) => void,
): ParsedRecord<Draft>[] {
  return records.flatMap((raw) => {
    try {
      if (JSON.stringify(raw).length > MAX_RECORD_LENGTH) throw new Error('the record is too large')
      return [{ normalized: normalize(raw, asOf), raw }]
    } catch (error) {
      quarantined(raw, error)
      return []
    }
  })
}
