import type { RawRetainedModel } from '../../domain/record-models.ts'

/** What became of the records of a model. */
export interface RemapResult extends RemapCounts {
  readonly model: RawRetainedModel
}

export interface RemapCounts {
  readonly read: number
  readonly changed: number
  /** Still cannot be read. */
  readonly unreadable: number
  /** Would be stored under another id or time. */
  readonly moved: number
}

export const zeroCounts: RemapCounts = { read: 0, changed: 0, unreadable: 0, moved: 0 }

export const addCounts = (one: RemapCounts, other: RemapCounts): RemapCounts => ({
  read: one.read + other.read,
  changed: one.changed + other.changed,
  unreadable: one.unreadable + other.unreadable,
  moved: one.moved + other.moved,
})
