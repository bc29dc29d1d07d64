/**
 * Urgency of a job: a caller asked for it, the schedule made it due, or it continues after it has yielded. Jobs without
 * a priority start first, in the order of their arrival.
 */
export type JobPriority = 'asked' | 'due' | 'continued'

/**
 * Number of seconds that is added to the priority number of a job. A more urgent job can overtake the job only if it is
 * added within this time. Jobs that are added later cannot, so no job waits forever.
 */
const delaySeconds: Readonly<Record<JobPriority, number>> = { asked: 0, due: 10, continued: 20 }

/** Period after which priority numbers repeat: BullMQ allows 2^21 at most. No job waits that long (24 days). */
const PERIOD_SECONDS = 2_097_000

/** Returns the priority number of a job that is added at `now`. Jobs with a smaller number start first. */
export const priorityNumber = (urgency: JobPriority, now: number): number =>
  1 + (Math.floor(now / 1000) % PERIOD_SECONDS) + delaySeconds[urgency]

/**
 * Thrown by a handler that yields to waiting jobs. The job continues later, behind these jobs. Yielding counts neither
 * as a failure nor as an attempt.
 */
export class JobYielded extends Error {
  override readonly name = 'JobYielded'
}
