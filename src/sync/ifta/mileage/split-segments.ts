import type { Instant } from '../../../domain/time.ts'
import type { JurisdictionLookup, Jurisdiction } from '../jurisdictions/jurisdiction-lookup.ts'
import type { JurisdictionDistance } from './mileage-totals.ts'
import type { MonthCalendar } from './calendar-months.ts'
import { kilometersBetween, type Coordinates, interpolate } from '../jurisdictions/geodesy.ts'

/** Where something was at a time. */
export interface LocatedPoint extends Coordinates {
  readonly locatedAt: Instant
}

/** The straight line from one fix to the next, and the jurisdictions in which they lie. */
export interface Segment {
  readonly from: LocatedPoint
  readonly to: LocatedPoint
  readonly fromJurisdiction: Jurisdiction | null
  readonly toJurisdiction: Jurisdiction | null
}

/** How closely the crossing of a border is looked for. */
const CLOSE_KILOMETERS = 0.05

/** Splits a segment where its month ends, by time, and where a border crosses it; the parts are as long as the whole. */
export function splitSegment(
  segment: Segment,
  atlas: JurisdictionLookup,
  calendar: MonthCalendar,
  kilometers = kilometersBetween(segment.from, segment.to),
): JurisdictionDistance[] {
  const { from, to } = segment
  const { name: month, endsAt } = calendar.monthAt(from.locatedAt)
  const inMonth = (part: Segment, length: number) =>
    split(part, atlas, length).map((piece) => ({ month, ...piece }))
  if (to.locatedAt <= endsAt) return inMonth(segment, kilometers)
  const part = (endsAt - from.locatedAt) / (to.locatedAt - from.locatedAt)
  const midnight = { ...interpolate(from, to, part), locatedAt: endsAt }
  const jurisdiction = atlas.jurisdictionOf(midnight)
  return [
    ...inMonth({ ...segment, to: midnight, toJurisdiction: jurisdiction }, kilometers * part),
    ...splitSegment(
      { ...segment, from: midnight, fromJurisdiction: jurisdiction },
      atlas,
      calendar,
      kilometers * (1 - part),
    ),
  ]
}

/**
 * Halves what begins in one jurisdiction and ends in another until the border is close; a third one in between is
 * found where the segment is halved.
 */
function split(
  segment: Segment,
  atlas: JurisdictionLookup,
  kilometers: number,
): Omit<JurisdictionDistance, 'month'>[] {
  const { from, to, fromJurisdiction, toJurisdiction } = segment
  if (fromJurisdiction === toJurisdiction) return [{ jurisdiction: fromJurisdiction, kilometers }]
  const half = kilometers / 2
  if (kilometers <= CLOSE_KILOMETERS)
    return [
      { jurisdiction: fromJurisdiction, kilometers: half },
      { jurisdiction: toJurisdiction, kilometers: half },
    ]
  const middle = { ...interpolate(from, to, 0.5), locatedAt: from.locatedAt }
  const jurisdiction = atlas.jurisdictionOf(middle)
  return [
    ...split({ ...segment, to: middle, toJurisdiction: jurisdiction }, atlas, half),
    ...split({ ...segment, from: middle, fromJurisdiction: jurisdiction }, atlas, half),
  ]
}
