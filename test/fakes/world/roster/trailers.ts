import type { Motion } from '../roads/motion.ts'
import type { Roster } from './roster.ts'
import type { Fix, Ms } from '../truth.ts'

const FIXES_PER_TRAILER_FIX = 6

/** Returns the fixes of a trailer: every sixth of the vehicle that pulls it. */
export const trailerFixesOf = (motion: Motion, roster: Roster, trailer: number, from: Ms, to: Ms): Fix[] =>
  motion
    .runsBetween(roster.towingVehicleOf(trailer), from - 86_400_000, to)
    .flatMap((run) => motion.fixesOfRun(run).filter((_, index) => index % FIXES_PER_TRAILER_FIX === 0))
    .filter(({ at }) => at >= from && at < to)
