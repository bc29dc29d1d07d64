import type { RawRetainedModel } from '../../domain/record-models.ts'
import type { Instant } from '../../domain/time.ts'
import { readParts } from '../../providers/mapping/readable-parts.ts'
import type { Reader } from '../../providers/provider.ts'
import { type FittedRecord, fitRecord } from './fit-record.ts'

export interface RecordMapping<Normalized> {
  readonly model: RawRetainedModel
  readonly reader: Pick<Reader<Normalized>, 'normalize'>
  /** A record that ends after this time counts as not ended yet. */
  readonly asOf: Instant
}

/**
 * Normalizes a record. Its unreadable members become null and count as invalid fields. Throws if the record has no readable
 * id or owner, or no readable value for another member that the model requires.
 */
export function normalizeRecord<Normalized>(
  { model, reader, asOf }: RecordMapping<Normalized>,
  raw: unknown,
): FittedRecord<Normalized> {
  const { result, unreadable } = readParts(raw, (record) => fitRecord(model, reader.normalize(record, asOf)))
  return {
    normalized: result.normalized,
    invalidFields: [...new Set([...result.invalidFields, ...unreadable])],
  }
}
