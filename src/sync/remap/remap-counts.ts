import type { RawRetainedModel } from '../../domain/record-models.ts'

/** Result of remapping one model. */
export interface RemapResult extends RemapCounts {
  readonly model: RawRetainedModel
}

export interface RemapCounts {
  readonly read: number
  /** Number of records that were stored again, or would be in a dry run. */
  readonly changed: number
  /** Number of records that the current mapping cannot read. */
  readonly unreadable: number
  /** Number of records to which the current mapping gives another id or time. They are skipped. */
  readonly moved: number
}

export const zeroCounts: RemapCounts = { read: 0, changed: 0, unreadable: 0, moved: 0 }

export const addCounts = (a: RemapCounts, b: RemapCounts): RemapCounts => ({
  read: a.read + b.read,
  changed: a.changed + b.changed,
  unreadable: a.unreadable + b.unreadable,
  moved: a.moved + b.moved,
})
