import { interpolate, kilometersBetween, shareNearestTo } from '../../../domain/geo/geodesy.ts'
import type { Point } from '../../../domain/models/point.ts'
import type { Instant } from '../../../domain/time.ts'

/** What shows that a vehicle was near a place. The values are part of the API. */
export enum PresenceEvidence {
  REPORTED = 'REPORTED',
  PASSED = 'PASSED',
  STAYED = 'STAYED',
}

/** Circle and period of a question. Both ends of the period are included. */
export interface NearPlace {
  readonly place: Point
  readonly radiusMeters: number
  readonly startAt: Instant
  readonly endAt: Instant
}

export interface Fix extends Point {
  readonly at: Instant
}

/** Part of the period in which a vehicle was near the place. */
export interface Presence {
  readonly evidence: PresenceEvidence
  /** Shortest known distance from the place. */
  readonly distanceMeters: number
  readonly nearestAt: Instant
  readonly nearestLocation: Point
  readonly firstAt: Instant
  readonly lastAt: Instant
}

/** Longest time between two positions on whose straight line the vehicle is assumed. */
export const LONGEST_STRAIGHT_MS = 90_000

/** Largest distance from the circle of a position whose straight line may cross it: 90 seconds at 160 km/h. */
export const REACH_METERS = 4000

/**
 * Returns when a vehicle was near a place; null if nothing shows that it was. `fixes` are ordered by time. They have the
 * positions around the place in the period, the first and last position of the period, and the nearest ones before and
 * after it. Without a position after the period, the vehicle is assumed at its last position.
 */
export function presenceOf(fixes: readonly Fix[], question: NearPlace): Presence | null {
  let presence: Presence | null = null
  const add = (found: Presence | null) => {
    if (found) presence = presence ? merged(presence, found) : found
  }
  let previous: Presence | null = null
  for (const [index, fix] of fixes.entries()) {
    const found = reported(fix, question)
    const before = fixes[index - 1]
    // Between two reports from within the circle, nothing is added to them but the line between them.
    if (before && !(previous && found)) add(between(before, fix, question))
    add(found)
    previous = found
  }
  const last = fixes.at(-1)
  if (last) add(between(last, undefined, question))
  return presence
}

function reported(fix: Fix, question: NearPlace): Presence | null {
  if (fix.at < question.startAt || fix.at > question.endAt) return null
  const distanceMeters = metersTo(fix, question)
  if (distanceMeters > question.radiusMeters) return null
  const { REPORTED: evidence } = PresenceEvidence
  return {
    evidence,
    distanceMeters,
    nearestAt: fix.at,
    nearestLocation: fix,
    firstAt: fix.at,
    lastAt: fix.at,
  }
}

/** Presence between a position and the next one. Null if they are too far apart in time, and not both near. */
function between(from: Fix, to: Fix | undefined, question: NearPlace): Presence | null {
  const startAt = Math.max(from.at, question.startAt)
  const endAt = Math.min(to?.at ?? question.endAt, question.endAt)
  if (startAt > endAt) return null
  if (to && to.at - from.at <= LONGEST_STRAIGHT_MS) return passed(from, to, question, startAt, endAt)
  const ends = to ? [from, to] : [from]
  if (ends.some((fix) => metersTo(fix, question) > question.radiusMeters)) return null
  const near = to && metersTo(to, question) < metersTo(from, question) ? to : from
  return {
    evidence: PresenceEvidence.STAYED,
    distanceMeters: metersTo(near, question),
    nearestAt: Math.min(Math.max(near.at, startAt), endAt),
    nearestLocation: near,
    firstAt: startAt,
    lastAt: endAt,
  }
}

function passed(from: Fix, to: Fix, question: NearPlace, startAt: Instant, endAt: Instant): Presence | null {
  const pointAt = (at: Instant): Fix => ({
    ...interpolate(from, to, (at - from.at) / (to.at - from.at || 1)),
    at,
  })
  const [start, end] = [pointAt(startAt), pointAt(endAt)]
  const share = shareNearestTo(question.place, start, end)
  const nearest = pointAt(Math.round(startAt + (endAt - startAt) * share))
  const distanceMeters = metersTo(nearest, question)
  if (distanceMeters > question.radiusMeters) return null
  return {
    evidence: PresenceEvidence.PASSED,
    distanceMeters,
    nearestAt: nearest.at,
    nearestLocation: nearest,
    firstAt: crossingAt(start, nearest, question),
    lastAt: crossingAt(end, nearest, question),
  }
}

/** Returns when the straight way from a position outside of the circle to one inside reaches the circle. */
function crossingAt(outside: Fix, inside: Fix, question: NearPlace): Instant {
  if (metersTo(outside, question) <= question.radiusMeters) return outside.at
  let [far, near] = [0, 1]
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (far + near) / 2
    if (metersTo(interpolate(outside, inside, middle), question) > question.radiusMeters) far = middle
    else near = middle
  }
  return Math.round(outside.at + (inside.at - outside.at) * near)
}

/** The times differ by 90 seconds at most, so this many halvings are exact to a tenth of a second. */
const HALVINGS = 10

const strength: Readonly<Record<PresenceEvidence, number>> = { REPORTED: 2, PASSED: 1, STAYED: 0 }

function merged(one: Presence, other: Presence): Presence {
  const nearer = one.distanceMeters <= other.distanceMeters ? one : other
  return {
    evidence: strength[one.evidence] >= strength[other.evidence] ? one.evidence : other.evidence,
    distanceMeters: nearer.distanceMeters,
    nearestAt: nearer.nearestAt,
    nearestLocation: nearer.nearestLocation,
    firstAt: Math.min(one.firstAt, other.firstAt),
    lastAt: Math.max(one.lastAt, other.lastAt),
  }
}

const metersTo = (point: Point, { place }: NearPlace): number => kilometersBetween(point, place) * 1000
