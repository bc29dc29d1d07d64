import type { FuelLevelFacts } from './purchase-facts.ts'

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
