import type { FuelLevelFacts } from './purchase-facts.ts'

const MINUTE_MS = 60_000

/** Fuel flows within this time before or after the purchase. */
export const FILL_MS = 30 * MINUTE_MS
/** Levels of this time before and after the purchase show by how much the level has risen. */
export const LEVEL_WINDOW_MS = 90 * MINUTE_MS
/** Fuel that the engine may use while the vehicle stands. */
export const STANDING_LITERS_PER_HOUR = 5
/** A full tank lasts at least this long on the road. */
const LEAST_HOURS_OF_TANK = 5

/** Returns the liters that an engine may use in an hour on the road: those of a policy, but no more than the tank allows. */
export const litersPerHourOnRoad = (maxLitersPerHour: number, capacityLiters: number): number =>
  Math.min(maxLitersPerHour, capacityLiters / LEAST_HOURS_OF_TANK)

/** Levels that differ by less are the same reading: providers round them, and repeat the last one. */
export const SAME_LEVEL_PERCENT = 0.5

/** Returns fuel levels, each as the median of itself and its neighbours: fuel that sloshes moves single levels. */
export const smoothedLevels = (levels: readonly FuelLevelFacts[]): FuelLevelFacts[] =>
  levels.map((level, at) => {
    const [before, after] = [levels[at - 1], levels[at + 1]]
    return before && after
      ? { ...level, percent: medianOf(before.percent, level.percent, after.percent) }
      : level
  })

const medianOf = (one: number, two: number, three: number): number =>
  Math.max(Math.min(one, two), Math.min(Math.max(one, two), three))
