import type { Instant } from '../../domain/time.ts'
import { isStorable } from './is-storable.ts'
import { normalizeRecord, type RecordMapping } from './normalize-record.ts'

/** Record of a page: the raw record of the provider and its normalized form. */
export interface ParsedRecord<Normalized> {
  readonly normalized: Normalized
  readonly raw: unknown
  /** Origin of a stored raw record that is normalized again. Undefined for a record that was just read. */
  readonly origin?: RecordOrigin
}

/** Origin of a record: the name of its raw schema, and the time at which it was received. */
export interface RecordOrigin {
  readonly schemaName: string
  readonly extractedAt: Instant
}

/**
 * Maximum length of a record as JSON, in characters. Its row must fit into one statement, even if each character takes
 * three bytes.
 */
const MAX_RECORD_LENGTH = 256 * 1024

/** Handlers of the faults that the records of a page have. */
export interface PageFaults {
  /** Called for a record that cannot be read or stored. */
  onUnreadable(raw: unknown, error: unknown): void
  /** Called for a record that loses values, because they are impossible or unreadable. */
  onInvalidFields?(fields: readonly string[]): void
}

/** Normalizes the records of a page. A record that cannot be read or stored is left out, so that the others are stored. */
export function parsePage<Normalized>(
  mapping: RecordMapping<Normalized>,
  records: readonly unknown[],
  faults: PageFaults,
): ParsedRecord<Normalized>[] {
  return records.flatMap((raw) => {
    try {
      if (!isStorable(raw, MAX_RECORD_LENGTH))
        throw new Error('the record is too large or too deeply nested to be stored')
      const { normalized, invalidFields } = normalizeRecord(mapping, raw)
      if (invalidFields.length > 0) faults.onInvalidFields?.(invalidFields)
      return [{ normalized, raw }]
    } catch (error) {
      faults.onUnreadable(raw, error)
      return []
    }
  })
}
