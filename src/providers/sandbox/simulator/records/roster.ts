import { DAY_MS } from '../world/durations.ts'
import { type Fleet, WORLD_START_MS } from '../world/fleet.ts'
import { between, dice, hashText } from '../world/random.ts'
import { timestamp } from './ids.ts'
import type { EditableResource, World } from './world.ts'

/** A list of records that change rarely. Each record is identified by its index. */
export interface Roster<T extends { updatedAt: string }> {
  readonly resource: EditableResource
  /**
   * Returns the number of current records plus removed ones. Removed records come last and have a removal
   * time.
   */
  count(fleet: Fleet): number
  record(world: World, index: number): T
  /** Returns the record with an edited name. */
  renamed(record: T): T
}

/** Returns the current record at an index; undefined after the test controls removed it. */
export function rosterRecord<T extends { updatedAt: string }>(
  { resource, record, renamed }: Roster<T>,
  world: World,
  index: number,
): T | undefined {
  if (world.edits.removedAt(resource, index) !== undefined) return undefined
  const modifiedAt = world.edits.modifiedAt(resource, index)
  const current = record(world, index)
  return modifiedAt === undefined ? current : { ...renamed(current), updatedAt: timestamp(modifiedAt) }
}

const removalDice = dice('time of a removal')

/** Returns the removal time of a record, in the world's first year; null for a current record. */
export function removedMsOf(
  resource: EditableResource,
  { seed }: Fleet,
  index: number,
  currentCount: number,
): number | null {
  if (index < currentCount) return null
  return WORLD_START_MS + between(30, 360, removalDice(hashText(seed, resource), index)) * DAY_MS
}

/** Returns the times of a record. Its last edit is before the start of the world, or its removal. */
export function editTimes(createdMs: number, removedMs: number | null, chance: number) {
  return {
    removedAt: removedMs === null ? null : timestamp(removedMs),
    createdAt: timestamp(createdMs),
    updatedAt: timestamp(removedMs ?? between(createdMs, WORLD_START_MS, chance)),
  }
}
