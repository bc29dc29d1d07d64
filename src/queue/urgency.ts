/** How soon a job is wanted. Those without one go first, in the order in which they came. */
export type Urgency = 'asked' | 'due' | 'continued'

/**
 * How long others that come later may overtake a job, in seconds. Whoever waits, waits for no more than what came
 * before its time: nobody starves, however much keeps coming.
 */
const patienceSeconds: Readonly<Record<Urgency, number>> = { asked: 0, due: 10, continued: 20 }

/** BullMQ's largest priority is 2^21; a number that has come round again meets no job of its last time. */
const ROUND_SECONDS = 2_097_000

/** The priority of a job that is added now: when it is wanted, a smaller one first. */
export const priorityOf = (urgency: Urgency, now: number): number =>
  1 + (Math.floor(now / 1000) % ROUND_SECONDS) + patienceSeconds[urgency]

/**
 * Thrown by a handler that has had its turn: the job goes on later, behind those that wait. That is no failure and no
 * attempt.
 */
export class GaveWay extends Error {
  override readonly name = 'GaveWay'
}
