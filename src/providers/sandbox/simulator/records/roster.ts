import { DAY_MS } from '../world/durations.ts'
import { type Fleet, WORLD_START_MS } from '../world/fleet.ts'
import { between, dice, hashText } from '../world/random.ts'
import { timestamp } from './ids.ts'
import type { EditableResource, World } from './world.ts'

/** A list of records that rarely change, such as vehicles. An index identifies a record. */
export interface Roster<T extends { updatedAt: string }> {
  readonly resource: EditableResource
  /**
   * Returns the number of records, including those that the fleet removed. These come last and have a removal
   * time.
   */
  count(fleet: Fleet): number
  record(world: World, index: number): T
  /** Returns a record with the name that it has after the test controls modified it. */
  renamed(record: T): T
}

/** Returns the record at an index, as of now; undefined after the test controls removed it. */
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

/** Returns the removal time of a record, in the world's first year; null for a record that is not removed. */
export function removedMsOf(
  resource: EditableResource,
  { seed }: Fleet,
  index: number,
  currentCount: number,
): number | null {
  if (index < currentCount) return null
  return WORLD_START_MS + between(30, 360, removalDice(hashText(seed, resource), index)) * DAY_MS
}

/** Returns the times of a record. Its last edit is its removal, or was before the start of the world. */
export function editTimes(createdMs: number, removedMs: number | null, draw: number) {
  return {
    removedAt: removedMs === null ? null : timestamp(removedMs),
    createdAt: timestamp(createdMs),
    updatedAt: timestamp(removedMs ?? between(createdMs, WORLD_START_MS, draw)),
  }
}
