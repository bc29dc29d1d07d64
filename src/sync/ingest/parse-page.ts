import type { RawRetainedModel } from '../../domain/record-models.ts'
import type { Reader } from '../../providers/provider.ts'
import type { Instant } from '../../domain/time.ts'
import { fitRecord } from './fit-record.ts'

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

export interface PageSource<Draft> {
  readonly model: RawRetainedModel
  readonly reader: Pick<Reader<Draft>, 'normalize'>
  readonly asOf: Instant
}

export interface PageFaults {
  /** Called for a record that cannot be read or stored. */
  onQuarantined(raw: unknown, error: unknown): void
  /** Called for a record of which some fields became null, because their values do not fit. */
  onMisfits?(fields: readonly string[]): void
}

/** Normalizes the records of a page. A record that cannot be read is left out, so that the others are stored. */
export function parsePage<Draft>(
  { model, reader, asOf }: PageSource<Draft>,
  records: readonly unknown[],
  faults: PageFaults,
): ParsedRecord<Draft>[] {
  return records.flatMap((raw) => {
    try {
      if (JSON.stringify(raw).length > MAX_RECORD_LENGTH) throw new Error('the record is too large')
      const { normalized, misfits } = fitRecord(model, reader.normalize(raw, asOf))
      if (misfits.length > 0) faults.onMisfits?.(misfits)
      return [{ normalized, raw }]
    } catch (error) {
      faults.onQuarantined(raw, error)
      return []
    }
  })
}
