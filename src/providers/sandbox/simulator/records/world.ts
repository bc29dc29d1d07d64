import type { Fleet } from '../world/fleet.ts'

/** State that a request reads: a fleet, its manual edits, and the time. */
export interface World {
  readonly fleet: Fleet
  readonly edits: Edits
  readonly nowMs: number
}

export type EditableResource = 'groups' | 'drivers' | 'vehicles' | 'devices' | 'trailers'

/** Records that the test controls removed or modified, with the time of the edit. */
export interface Edits {
  removedAt(resource: EditableResource, index: number): number | undefined
  modifiedAt(resource: EditableResource, index: number): number | undefined
}

export const NO_EDITS: Edits = { removedAt: () => undefined, modifiedAt: () => undefined }
