/** Urgency of a job. Jobs without one start first, in the order of their arrival. */
export type JobPriority = 'asked' | 'due' | 'continued'

/**
 * Penalty in the priority number, in seconds: a more urgent job that is added within this time may overtake
 * the job. Jobs that are added afterwards cannot, so no job starves.
 */
const delaySeconds: Readonly<Record<JobPriority, number>> = { asked: 0, due: 10, continued: 20 }

/** Period of the priority numbers: BullMQ allows 2^21 at most. No job waits for a whole period (24 days). */
const PERIOD_SECONDS = 2_097_000

/** Priority of a job that is added at `now`. Jobs with a smaller number start first. */
export const priorityNumber = (urgency: JobPriority, now: number): number =>
  1 + (Math.floor(now / 1000) % PERIOD_SECONDS) + delaySeconds[urgency]

/**
 * Thrown by a handler that yields to waiting jobs: the job continues later, behind them. It counts neither as
 * a failure nor as an attempt.
 */
export class JobYielded extends Error {
  override readonly name = 'JobYielded'
}
