import type { Roster } from '../../../src/providers/provider.ts'
import type { RunningFake } from '../../fakes/kit/start-fake.ts'

const models = { vehicle: 'Vehicle', driver: 'Driver', trailer: 'Trailer' } as const

/** Returns the roster that is stored after a sync has read a fake. */
export async function rosterOfFake(fake: RunningFake): Promise<Roster> {
  const ids = new Map<string, readonly string[]>()
  for (const [kind, model] of Object.entries(models)) {
    const members = await fake.truth<{ sourceId: string }[]>(model).catch(() => [])
    ids.set(kind, members.map(({ sourceId }) => sourceId).toSorted())
  }
  return {
    sourceIdsAfter: async (kind, after, limit) =>
      (ids.get(kind) ?? []).filter((id) => id > after).slice(0, limit),
  }
}
