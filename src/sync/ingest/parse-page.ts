import type { RawRetainedModel } from '../../domain/record-models.ts'
import type { Reader } from '../../providers/provider.ts'
import type { Instant } from '../../domain/time.ts'
import { fitRecord } from './fit-record.ts'
import { isStorable } from './is-storable.ts'

/** Record of a page: the raw record of the provider and its normalized form. */
export interface ParsedRecord<Normalized> {
  readonly normalized: Normalized
  readonly raw: unknown
  /** Stored origin of a record that is mapped again: it stays the same. Undefined for a record that was just read. */
  readonly sent?: SentRecord
}

/** Origin of a record: the schema name under which the provider sent it, and the time. */
export interface SentRecord {
  readonly schemaName: string
  readonly extractedAt: Instant
}

/**
 * Maximum length of a record as JSON, in characters. Its row must fit into one statement, even if each character takes
 * three bytes.
 */
const MAX_RECORD_LENGTH = 256 * 1024

export interface PageSource<Normalized> {
  readonly model: RawRetainedModel
  readonly reader: Pick<Reader<Normalized>, 'normalize'>
  /** A record that ends after this time counts as not ended yet. */
  readonly asOf: Instant
}

export interface PageFaults {
  /** Called for a record that cannot be read or stored. */
  onUnreadable(raw: unknown, error: unknown): void
  /** Called for a record in which some fields became null, because their values are impossible. */
  onMisfits?(fields: readonly string[]): void
}

/** Normalizes the records of a page. A record that cannot be read is left out, so that the others are stored. */
export function parsePage<Normalized>(
  { model, reader, asOf }: PageSource<Normalized>,
  records: readonly unknown[],
  faults: PageFaults,
): ParsedRecord<Normalized>[] {
  return records.flatMap((raw) => {
    try {
      if (!isStorable(raw, MAX_RECORD_LENGTH))
        throw new Error('the record is too large or too deeply nested to be stored')
      const { normalized, misfits } = fitRecord(model, reader.normalize(raw, asOf))
      if (misfits.length > 0) faults.onMisfits?.(misfits)
      return [{ normalized, raw }]
    } catch (error) {
      faults.onUnreadable(raw, error)
      return []
    }
  })
}
