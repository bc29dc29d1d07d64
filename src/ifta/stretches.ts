import type { Instant } from '../time.ts'
import type { Atlas, Jurisdiction } from './atlas.ts'
import type { Distance } from './ledger.ts'
import type { Calendar } from './months.ts'
import { kilometersBetween, type Place, placeBetween } from './sphere.ts'

/** Where something was at a time. */
export interface Located extends Place {
  readonly locatedAt: Instant
}

/** The straight line from one fix to the next, and the jurisdictions in which they lie. */
export interface Segment {
  readonly from: Located
  readonly to: Located
  readonly fromJurisdiction: Jurisdiction | null
  readonly toJurisdiction: Jurisdiction | null
}

/** How closely the crossing of a border is looked for. */
const CLOSE_KILOMETERS = 0.05

/** Splits a segment where its month ends, by time, and where a border crosses it; the parts are as long as the whole. */
export function stretchesOf(
  segment: Segment,
  atlas: Atlas,
  calendar: Calendar,
  kilometers = kilometersBetween(segment.from, segment.to),
): Distance[] {
  const { from, to } = segment
  const { name: month, endsAt } = calendar.monthAt(from.locatedAt)
  const inMonth = (part: Segment, length: number) =>
    split(part, atlas, length).map((piece) => ({ month, ...piece }))
  if (to.locatedAt <= endsAt) return inMonth(segment, kilometers)
  const part = (endsAt - from.locatedAt) / (to.locatedAt - from.locatedAt)
  const midnight = { ...placeBetween(from, to, part), locatedAt: endsAt }
  const jurisdiction = atlas.jurisdictionOf(midnight)
  return [
    ...inMonth({ ...segment, to: midnight, toJurisdiction: jurisdiction }, kilometers * part),
    ...stretchesOf(
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
function split(segment: Segment, atlas: Atlas, kilometers: number): Omit<Distance, 'month'>[] {
  const { from, to, fromJurisdiction, toJurisdiction } = segment
  if (fromJurisdiction === toJurisdiction) return [{ jurisdiction: fromJurisdiction, kilometers }]
  const half = kilometers / 2
  if (kilometers <= CLOSE_KILOMETERS)
    return [
      { jurisdiction: fromJurisdiction, kilometers: half },
      { jurisdiction: toJurisdiction, kilometers: half },
    ]
  const middle = { ...placeBetween(from, to, 0.5), locatedAt: from.locatedAt }
  const jurisdiction = atlas.jurisdictionOf(middle)
  return [
    ...split({ ...segment, to: middle, toJurisdiction: jurisdiction }, atlas, half),
    ...split({ ...segment, from: middle, fromJurisdiction: jurisdiction }, atlas, half),
  ]
}
