import type { Instant } from '../../../domain/time.ts'

/** What a capture and the fuel levels around it showed. */
export interface ObservedFill {
  readonly checkId: string
  readonly filledAt: Instant
  readonly liters: number
  /** Rise of the level in percentage points. Null if the level did not change at all. */
  readonly risenPercent: number | null
}

/** What the last fills of a vehicle show about its tank and its fuel sensor. */
export interface LearntTank {
  /** The lowest and the highest plausible capacity; null if the fills do not show it. */
  readonly capacity: { readonly leastLiters: number; readonly mostLiters: number } | null
  /** Whether the level did not change at the last fills. */
  readonly isLevelStuck: boolean
}

/** Fills that are kept of a vehicle. */
export const KEPT_FILLS = 12
/** A smaller rise shows the capacity too inexactly. */
const MIN_RISE_PERCENT = 20
const MIN_FILLS = 5
/** If the middle half of the fills differ by more, they show no capacity. */
const MAX_SPREAD = 0.2
const STUCK_FILLS = 3

/** Returns what fills show, given by time. */
export function tankOf(fills: readonly ObservedFill[]): LearntTank {
  const last = fills.slice(-STUCK_FILLS)
  return {
    capacity: capacityOf(fills),
    isLevelStuck: last.length === STUCK_FILLS && last.every(({ risenPercent }) => risenPercent === null),
  }
}

/** A thief whose fuel goes elsewhere makes some fills look larger, so that only the middle half counts. */
function capacityOf(fills: readonly ObservedFill[]): LearntTank['capacity'] {
  const capacities = fills
    .flatMap(({ liters, risenPercent }) =>
      risenPercent !== null && risenPercent >= MIN_RISE_PERCENT ? [(100 * liters) / risenPercent] : [],
    )
    .toSorted((one, other) => one - other)
  if (capacities.length < MIN_FILLS) return null
  const quartile = (part: number) => capacities[Math.round(part * (capacities.length - 1))]!
  const [leastLiters, mostLiters] = [quartile(0.25), quartile(0.75)]
  return mostLiters - leastLiters <= MAX_SPREAD * quartile(0.5) ? { leastLiters, mostLiters } : null
}

/** A capacity that differs by more from what the fills show is wrong. */
const MAX_DIFFERENCE = 0.2

/** Returns why the fuel level or the capacity of a vehicle cannot be used; null if they can. */
export function tankProblemOf(
  { capacity, isLevelStuck }: LearntTank,
  knownLiters: number | null,
): string | null {
  if (isLevelStuck)
    return `The fuel level did not change at the last ${STUCK_FILLS} fills: its sensor may be broken.`
  if (!capacity || knownLiters === null) return null
  const { leastLiters, mostLiters } = capacity
  const isPossible =
    knownLiters >= leastLiters * (1 - MAX_DIFFERENCE) && knownLiters <= mostLiters * (1 + MAX_DIFFERENCE)
  return isPossible
    ? null
    : `The last fills show a fuel capacity of about ${Math.round(mostLiters)} l, not of ${Math.round(knownLiters)} l.`
}
