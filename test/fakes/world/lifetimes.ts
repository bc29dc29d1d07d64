import { DAY } from './calendar.ts'
import { type Draw, waitOf } from './draws.ts'
import type { Seeded } from './options.ts'
import type { Ms } from './truth.ts'

/** History of a roster member, from its first day to its last. */
export interface Lifetime {
  readonly createdAt: Ms
  /** Infinity for a member that stays. */
  readonly removedAt: Ms
  /** Times at which it alternately becomes inactive and active. */
  readonly turns: readonly Ms[]
  /** Times of edits. */
  readonly edits: readonly Ms[]
}

/** Average days between such changes of a member. */
export interface Rates {
  readonly removal: number
  readonly turn: number
  readonly edit: number
}

export function lifetimeOf(draw: Draw, createdAt: Ms, rates: Rates, { options }: Seeded): Lifetime {
  const once = (days: number): number => waitOf(draw, (days * DAY) / options.restlessness)
  const removedAt = createdAt + once(rates.removal)
  return {
    createdAt,
    removedAt: wholeSecond(removedAt),
    turns: momentsOf(createdAt, removedAt, 6, () => once(rates.turn)),
    edits: momentsOf(createdAt, removedAt, 6, () => once(rates.edit)),
  }
}

function momentsOf(from: Ms, to: Ms, most: number, wait: () => number): Ms[] {
  const moments: Ms[] = []
  for (let at = from + wait(); at < to && moments.length < most; at += wait()) moments.push(wholeSecond(at))
  return moments
}

const wholeSecond = (at: Ms): Ms => Math.floor(at / 1000) * 1000

const upTo = (moments: readonly Ms[], at: Ms): Ms[] => moments.filter((moment) => moment <= at)

export const editsBy = ({ edits }: Lifetime, at: Ms): number => upTo(edits, at).length

export const isThere = ({ createdAt, removedAt }: Lifetime, at: Ms): boolean =>
  createdAt <= at && at < removedAt

export const isActive = (life: Lifetime, at: Ms): boolean =>
  isThere(life, at) && upTo(life.turns, at).length % 2 === 0

/** Returns the columns that all roster members have, at a time. */
export function memberAt(number: number, life: Lifetime, at: Ms) {
  const removedAt = life.removedAt <= at ? life.removedAt : null
  const changes = [life.createdAt, ...upTo(life.turns, at), ...upTo(life.edits, at), removedAt ?? 0]
  return { number, createdAt: life.createdAt, updatedAt: Math.max(...changes), removedAt }
}
