import { DAY_MS } from '../world/durations.ts'
import { type Fleet, WORLD_START_MS } from '../world/fleet.ts'
import { between, dice, hashText } from '../world/random.ts'
import { timestamp } from './ids.ts'
import type { EditedNoun, World } from './world.ts'

/** A list of records that change seldom, each known by its index. */
export interface Roster<T extends { updatedAt: string }> {
  readonly noun: EditedNoun
  /** Those that are there now, and after them those that are gone: they are listed with the time of it. */
  count(fleet: Fleet): number
  record(world: World, index: number): T
  /** The record as it looks after somebody edited its name. */
  renamed(record: T): T
}

/** The record at an index as of now; undefined once the test controls removed it. */
export function rosterRecord<T extends { updatedAt: string }>(
  { noun, record, renamed }: Roster<T>,
  world: World,
  index: number,
): T | undefined {
  if (world.edits.removedAt(noun, index) !== undefined) return undefined
  const modifiedAt = world.edits.modifiedAt(noun, index)
  const current = record(world, index)
  return modifiedAt === undefined ? current : { ...renamed(current), updatedAt: timestamp(modifiedAt) }
}

const removalDice = dice('time of a removal')

/** Since when a record is gone, in the world's first year; null for one that is there. */
export function removedMsOf(
  noun: EditedNoun,
  { seed }: Fleet,
  index: number,
  liveCount: number,
): number | null {
  if (index < liveCount) return null
  return WORLD_START_MS + between(30, 360, removalDice(hashText(seed, noun), index)) * DAY_MS
}

/** When a record was last edited: some time before the world began, or when it was removed. */
export function editTimes(createdMs: number, removedMs: number | null, chance: number) {
  return {
    removedAt: removedMs === null ? null : timestamp(removedMs),
    createdAt: timestamp(createdMs),
    updatedAt: timestamp(removedMs ?? between(createdMs, WORLD_START_MS, chance)),
  }
}
