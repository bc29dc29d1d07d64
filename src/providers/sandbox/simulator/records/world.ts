import type { Fleet } from '../world/fleet.ts'

/** State that a request reads: a fleet, the edits by the test controls, and the time. */
export interface World {
  readonly fleet: Fleet
  readonly edits: Edits
  readonly nowMs: number
}

export type EditableResource = 'groups' | 'drivers' | 'vehicles' | 'devices' | 'trailers'

/** Times at which the test controls removed or modified records; undefined for other records. */
export interface Edits {
  removedAt(resource: EditableResource, index: number): number | undefined
  modifiedAt(resource: EditableResource, index: number): number | undefined
}

export const NO_EDITS: Edits = { removedAt: () => undefined, modifiedAt: () => undefined }
