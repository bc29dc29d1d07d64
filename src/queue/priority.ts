/** How soon a job is wanted. Those without one go first, in the order in which they came. */
export type JobPriority = 'asked' | 'due' | 'continued'

/**
 * How long others that come later may overtake a job, in seconds. Whoever waits, waits for no more than what came
 * before its time: nobody starves, however much keeps coming.
 */
const delaySeconds: Readonly<Record<JobPriority, number>> = { asked: 0, due: 10, continued: 20 }

/** BullMQ's largest priority is 2^21; a number that has come round again meets no job of its last time. */
const ROUND_SECONDS = 2_097_000

/** The priority of a job that is added now: when it is wanted, a smaller one first. */
export const priorityNumber = (urgency: JobPriority, now: number): number =>
  1 + (Math.floor(now / 1000) % ROUND_SECONDS) + delaySeconds[urgency]

/**
 * Thrown by a handler that has had its turn: the job goes on later, behind those that wait. That is no failure and no
 * attempt.
 */
export class JobYielded extends Error {
  override readonly name = 'JobYielded'
}
