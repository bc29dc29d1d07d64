import type { EditedNoun, Edits } from './records/world.ts'

export const EDITED_NOUNS: readonly EditedNoun[] = ['groups', 'drivers', 'vehicles', 'devices', 'trailers']

export type EditKind = 'remove' | 'modify'

/** The edits of one account, kept in memory. */
export interface EditLog extends Edits {
  add(kind: EditKind, noun: EditedNoun, indexes: readonly number[], atMs: number): void
  /** Undoes removals: the records are there again. */
  restore(noun: EditedNoun, indexes: readonly number[]): void
}

export function createEditLog(): EditLog {
  const times = new Map<string, number>()
  return {
    removedAt: (noun, index) => times.get(entry('remove', noun, index)),
    modifiedAt: (noun, index) => times.get(entry('modify', noun, index)),
    add(kind, noun, indexes, atMs) {
      for (const index of indexes) times.set(entry(kind, noun, index), atMs)
    },
    restore(noun, indexes) {
      for (const index of indexes) times.delete(entry('remove', noun, index))
    },
  }
}

function entry(kind: EditKind, noun: EditedNoun, index: number): string {
  return `${kind} ${noun} ${index}`
}
