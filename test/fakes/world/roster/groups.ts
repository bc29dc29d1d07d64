import { regions } from './names.ts'
import type { Seeded } from '../options.ts'
import type { Group } from '../truth.ts'

/** Returns the groups. The first is the root and contains the whole fleet. */
export function groupsOf({ vehicles, startsAt }: Seeded): Group[] {
  const count = groupCount(vehicles)
  const unchanging = { createdAt: startsAt, updatedAt: startsAt, removedAt: null }
  return Array.from({ length: count }, (_, index) => ({
    ...unchanging,
    number: index + 1,
    name:
      index === 0
        ? 'Whole fleet'
        : `${regions[(index - 1) % regions.length]} ${Math.ceil(index / regions.length)}`,
    parent: index === 0 ? null : index > regions.length ? index - regions.length + 1 : 1,
  }))
}

export const groupCount = (vehicles: number): number => Math.min(20, 2 + Math.floor(vehicles / 20))
