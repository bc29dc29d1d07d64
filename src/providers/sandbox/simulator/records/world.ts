import type { Fleet } from '../world/fleet.ts'

/** What a request sees: a fleet, what was changed in it by hand, and the clock. */
export interface World {
  readonly fleet: Fleet
  readonly edits: Edits
  readonly nowMs: number
}

export type EditedNoun = 'groups' | 'drivers' | 'vehicles' | 'devices' | 'trailers'

/** Records removed or modified by the test controls, each with the time of it. */
export interface Edits {
  removedAt(noun: EditedNoun, index: number): number | undefined
  modifiedAt(noun: EditedNoun, index: number): number | undefined
}

export const NO_EDITS: Edits = { removedAt: () => undefined, modifiedAt: () => undefined }
