import type { Roster } from '../../../src/providers/provider.ts'

/** Of a connection of which nothing is stored. */
export const emptyRoster: Roster = { sourceIdsAfter: async () => [] }
