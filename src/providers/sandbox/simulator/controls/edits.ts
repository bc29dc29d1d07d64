import type { EditableResource, Edits } from '../records/world.ts'

export const EDITABLE_RESOURCES: readonly EditableResource[] = [
  'groups',
  'drivers',
  'vehicles',
  'devices',
  'trailers',
]

export type EditKind = 'remove' | 'modify'

/** Edits of the records of one account, in memory. */
export interface EditLog extends Edits {
  add(kind: EditKind, resource: EditableResource, indexes: readonly number[], atMs: number): void
  /** Undoes removals, so that the lists contain the records again. */
  restore(resource: EditableResource, indexes: readonly number[]): void
}

export function createEditLog(): EditLog {
  const timesByEdit = new Map<string, number>()
  return {
    removedAt: (resource, index) => timesByEdit.get(editKey('remove', resource, index)),
    modifiedAt: (resource, index) => timesByEdit.get(editKey('modify', resource, index)),
    add(kind, resource, indexes, atMs) {
      for (const index of indexes) timesByEdit.set(editKey(kind, resource, index), atMs)
    },
    restore(resource, indexes) {
      for (const index of indexes) timesByEdit.delete(editKey('remove', resource, index))
    },
  }
}

function editKey(kind: EditKind, resource: EditableResource, index: number): string {
  return `${kind} ${resource} ${index}`
}
