import type { EditableResource, Edits } from '../records/world.ts'

export const EDITABLE_RESOURCES: readonly EditableResource[] = [
  'groups',
  'drivers',
  'vehicles',
  'devices',
  'trailers',
]

export type EditKind = 'remove' | 'modify'

/** The edits of one account, in memory. */
export interface EditLog extends Edits {
  add(kind: EditKind, resource: EditableResource, indexes: readonly number[], atMs: number): void
  /** Undoes removals: the records are listed again. */
  restore(resource: EditableResource, indexes: readonly number[]): void
}

export function createEditLog(): EditLog {
  const times = new Map<string, number>()
  return {
    removedAt: (resource, index) => times.get(entry('remove', resource, index)),
    modifiedAt: (resource, index) => times.get(entry('modify', resource, index)),
    add(kind, resource, indexes, atMs) {
      for (const index of indexes) times.set(entry(kind, resource, index), atMs)
    },
    restore(resource, indexes) {
      for (const index of indexes) times.delete(entry('remove', resource, index))
    },
  }
}

function entry(kind: EditKind, resource: EditableResource, index: number): string {
  return `${kind} ${resource} ${index}`
}
