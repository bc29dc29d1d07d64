import type { Fleet } from '../world/fleet.ts'
import { timestamp } from './ids.ts'
import type { EditedNoun, World } from './world.ts'

/** A list of records that change seldom, each known by its index. */
export interface Roster<T extends { updatedAt: string }> {
  readonly noun: EditedNoun
  count(fleet: Fleet): number
  record(world: World, index: number): T
  /** The record as it looks after somebody edited its name. */
  renamed(record: T): T
}

/** The record at an index as of now; undefined once it is removed. */
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
