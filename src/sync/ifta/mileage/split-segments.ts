import type { Instant } from '../../../domain/time.ts'
import type { JurisdictionLookup, Jurisdiction } from '../../../domain/jurisdictions/jurisdiction-lookup.ts'
import type { JurisdictionDistance } from './mileage-totals.ts'
import type { MonthCalendar } from './calendar-months.ts'
import { interpolate, kilometersBetween } from '../../../domain/geo/geodesy.ts'
import type { Point } from '../../../domain/models/point.ts'

/** Point at a time. */
export interface LocatedPoint extends Point {
  readonly locatedAt: Instant
}

/** Straight line between two consecutive fixes, with the jurisdictions of its ends. */
export interface Segment {
  readonly from: LocatedPoint
  readonly to: LocatedPoint
  readonly fromJurisdiction: Jurisdiction | null
  readonly toJurisdiction: Jurisdiction | null
}

/** Length at which the search for a border crossing ends. */
const RESOLUTION_KILOMETERS = 0.05

/**
 * Splits a segment at ends of months, in proportion to time, and at borders. The lengths of the parts add up to
 * `kilometers`.
 */
export function splitSegment(
  segment: Segment,
  lookup: JurisdictionLookup,
  calendar: MonthCalendar,
  kilometers = kilometersBetween(segment.from, segment.to),
): JurisdictionDistance[] {
  const { from, to } = segment
  const { name: month, endsAt } = calendar.monthAt(from.locatedAt)
  const inMonth = (part: Segment, length: number) =>
    splitAtBorders(part, lookup, length).map((piece) => ({ month, ...piece }))
  if (to.locatedAt <= endsAt) return inMonth(segment, kilometers)
  const fraction = (endsAt - from.locatedAt) / (to.locatedAt - from.locatedAt)
  const midnight = { ...interpolate(from, to, fraction), locatedAt: endsAt }
  const jurisdiction = lookup.jurisdictionOf(midnight)
  return [
    ...inMonth({ ...segment, to: midnight, toJurisdiction: jurisdiction }, kilometers * fraction),
    ...splitSegment(
      { ...segment, from: midnight, fromJurisdiction: jurisdiction },
      lookup,
      calendar,
      kilometers * (1 - fraction),
    ),
  ]
}

/**
 * Bisects a segment with ends in different jurisdictions until the halves are short enough. A third jurisdiction
 * between them is found only if a midpoint lies in it.
 */
function splitAtBorders(
  segment: Segment,
  lookup: JurisdictionLookup,
  kilometers: number,
): Omit<JurisdictionDistance, 'month'>[] {
  const { from, to, fromJurisdiction, toJurisdiction } = segment
  if (fromJurisdiction === toJurisdiction) return [{ jurisdiction: fromJurisdiction, kilometers }]
  const half = kilometers / 2
  if (kilometers <= RESOLUTION_KILOMETERS)
    return [
      { jurisdiction: fromJurisdiction, kilometers: half },
      { jurisdiction: toJurisdiction, kilometers: half },
    ]
  const middle = { ...interpolate(from, to, 0.5), locatedAt: from.locatedAt }
  const jurisdiction = lookup.jurisdictionOf(middle)
  return [
    ...splitAtBorders({ ...segment, to: middle, toJurisdiction: jurisdiction }, lookup, half),
    ...splitAtBorders({ ...segment, from: middle, fromJurisdiction: jurisdiction }, lookup, half),
  ]
}
