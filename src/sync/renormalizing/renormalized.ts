import type { KeptModel } from '../../models.ts'

/** What became of the records of a model. */
export interface Renormalized extends Counts {
  readonly model: KeptModel
}

export interface Counts {
  readonly read: number
  readonly changed: number
  /** Still cannot be read. */
  readonly unreadable: number
  /** Would be stored under another id or time. */
  readonly moved: number
}

export const nothing: Counts = { read: 0, changed: 0, unreadable: 0, moved: 0 }

export const sum = (one: Counts, other: Counts): Counts => ({
  read: one.read + other.read,
  changed: one.changed + other.changed,
  unreadable: one.unreadable + other.unreadable,
  moved: one.moved + other.moved,
})
