import type { Instant } from '../../../domain/time.ts'

/** What a capture and the fuel levels around it showed. */
export interface ObservedFill {
  readonly checkId: string
  readonly filledAt: Instant
  readonly liters: number
  /** Rise of the level in percentage points. Null if the level did not change at all. */
  readonly risenPercent: number | null
  /** When the level had risen; null if it did not change. */
  readonly risenAt: Instant | null
}

const HOUR_MS = 3_600_000

/** Adds a fill to others, by time. It replaces what another comparison or another purchase showed of the same fill. */
export function withFill(fills: readonly ObservedFill[], fill: ObservedFill): ObservedFill[] {
  const isSame = (other: ObservedFill) =>
    other.checkId === fill.checkId ||
    Math.abs(other.filledAt - fill.filledAt) <= HOUR_MS ||
    (other.risenAt !== null && other.risenAt === fill.risenAt)
  return [...fills.filter((other) => !isSame(other)), fill]
    .toSorted((one, other) => one.filledAt - other.filledAt)
    .slice(-KEPT_FILLS)
}

/** A fill of fewer liters may not move the gauge. */
const MIN_SHARE = 0.1
const MIN_LITERS = 50

/** Whether a fill is large enough for the gauge to show it. */
export const isTelling = (liters: number, capacityLiters: number | null): boolean =>
  liters >= (capacityLiters === null ? MIN_LITERS : MIN_SHARE * capacityLiters)

/** What the last fills of a vehicle show about its tank and its fuel sensor. */
export interface LearntTank {
  /** The lowest and the highest plausible capacity; null if the fills do not show it. */
  readonly capacity: { readonly leastLiters: number; readonly mostLiters: number } | null
  /** Whether the level did not change at the last fills. */
  readonly isLevelStuck: boolean
}

/** Fills that are kept of a vehicle. */
const KEPT_FILLS = 12
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

/** A thief who fills cans too makes some fills look larger, so only the middle half counts. */
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

/** Returns why the fuel levels of a vehicle cannot be used; null if they can. */
export const levelProblemOf = ({ isLevelStuck }: LearntTank): string | null =>
  isLevelStuck
    ? `The fuel level did not change at the last ${STUCK_FILLS} fills: its sensor may be broken.`
    : null

/** A capacity that differs by more from what the fills show is doubtful. */
const MAX_DIFFERENCE = 0.2

/** Returns why the known capacity of a vehicle is doubtful; null if the fills do not contradict it. */
export function capacityProblemOf({ capacity }: LearntTank, knownLiters: number | null): string | null {
  if (!capacity || knownLiters === null) return null
  const { leastLiters, mostLiters } = capacity
  const isPossible =
    knownLiters >= leastLiters * (1 - MAX_DIFFERENCE) && knownLiters <= mostLiters * (1 + MAX_DIFFERENCE)
  return isPossible
    ? null
    : `The last fills show a fuel capacity of about ${Math.round(mostLiters)} l, not of ${Math.round(knownLiters)} l.`
}
