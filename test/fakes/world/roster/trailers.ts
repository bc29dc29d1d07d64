import type { Motion } from '../roads/motion.ts'
import type { Roster } from './roster.ts'
import type { Fix, Ms } from '../truth.ts'

const TELLS_ONE_OF = 6

/** Returns the fixes of a trailer: those of the vehicle that pulls it, less often. */
export const trailerFixesOf = (motion: Motion, roster: Roster, trailer: number, from: Ms, to: Ms): Fix[] =>
  motion
    .runsBetween(roster.pullerOf(trailer), from - 86_400_000, to)
    .flatMap((run) => motion.fixesOfRun(run).filter((_, index) => index % TELLS_ONE_OF === 0))
    .filter(({ at }) => at >= from && at < to)
