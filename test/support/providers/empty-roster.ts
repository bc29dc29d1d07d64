import type { Roster } from '../../../src/providers/provider.ts'

/** Roster of a connection without stored records. */
export const emptyRoster: Roster = { sourceIdsAfter: async () => [] }
