import { DAY } from './calendar.ts'
import { type Draw, waitOf } from './draws.ts'
import type { Seeded } from './options.ts'
import type { Ms } from './truth.ts'

/** Times at which a vehicle or driver changes. */
export interface Lifetime {
  readonly createdAt: Ms
  /** Infinity for a member that is never removed. */
  readonly removedAt: Ms
  /** Times at which the member becomes inactive, active again, and so on. */
  readonly activityChanges: readonly Ms[]
  /** Times of edits. */
  readonly edits: readonly Ms[]
}

/** Average days between two such changes of a member. */
export interface Rates {
  readonly removal: number
  readonly activityChange: number
  readonly edit: number
}

export function lifetimeOf(draw: Draw, createdAt: Ms, rates: Rates, { options }: Seeded): Lifetime {
  const wait = (days: number): number => waitOf(draw, (days * DAY) / options.restlessness)
  const removedAt = createdAt + wait(rates.removal)
  return {
    createdAt,
    removedAt: wholeSecond(removedAt),
    activityChanges: timesOf(createdAt, removedAt, 6, () => wait(rates.activityChange)),
    edits: timesOf(createdAt, removedAt, 6, () => wait(rates.edit)),
  }
}

function timesOf(from: Ms, to: Ms, most: number, wait: () => number): Ms[] {
  const moments: Ms[] = []
  for (let at = from + wait(); at < to && moments.length < most; at += wait()) moments.push(wholeSecond(at))
  return moments
}

const wholeSecond = (at: Ms): Ms => Math.floor(at / 1000) * 1000

const upTo = (moments: readonly Ms[], at: Ms): Ms[] => moments.filter((moment) => moment <= at)

export const editsBy = ({ edits }: Lifetime, at: Ms): number => upTo(edits, at).length

export const exists = ({ createdAt, removedAt }: Lifetime, at: Ms): boolean =>
  createdAt <= at && at < removedAt

export const isActive = (life: Lifetime, at: Ms): boolean =>
  exists(life, at) && upTo(life.activityChanges, at).length % 2 === 0

/** Returns the fields that every roster member has, at a time. */
export function memberAt(number: number, life: Lifetime, at: Ms) {
  const removedAt = life.removedAt <= at ? life.removedAt : null
  const changes = [life.createdAt, ...upTo(life.activityChanges, at), ...upTo(life.edits, at), removedAt ?? 0]
  return { number, createdAt: life.createdAt, updatedAt: Math.max(...changes), removedAt }
}
