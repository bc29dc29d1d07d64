import { latestModels, type LatestModel } from '../domain/record-models.ts'
import type { Queue } from './queue.ts'

/** Managed polling of a connection: a job for each model that is only of now. */

/** Trailers and the clocks of drivers move slower than vehicles. */
const SLOWEST_MS: Partial<Record<LatestModel, number>> = {
  LatestTrailerLocation: 30_000,
  HOSAvailableTime: 30_000,
}

/** The option of a connection that sets its own interval; it is checked when it is set. */
export const POLL_OPTION = 'locationPollSeconds'

export function pollIntervalMs(options: Readonly<Record<string, unknown>>, presetMs: number): number {
  const seconds = options[POLL_OPTION]
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : presetMs
}

const keyOf = (connectionId: string, model: LatestModel): string => `${connectionId}-${model}`

/** Polls one model. While such a poll waits or runs, this one is it. */
export const enqueuePoll = (
  queue: Pick<Queue, 'add'>,
  connectionId: string,
  model: LatestModel,
): Promise<void> => queue.add('poll-latest', { connectionId, model }, { key: keyOf(connectionId, model) })

/** The same; false where there was such a poll before, which may have begun to read. */
export async function enqueueAnotherPoll(
  queue: Pick<Queue, 'add' | 'holds'>,
  connectionId: string,
  model: LatestModel,
): Promise<boolean> {
  const isThere = await queue.holds('poll-latest', keyOf(connectionId, model))
  await enqueuePoll(queue, connectionId, model)
  return !isThere
}

export async function enqueuePollNow(queue: Pick<Queue, 'add'>, connectionId: string): Promise<void> {
  for (const model of latestModels) await enqueuePoll(queue, connectionId, model)
}

/** Polls what is due of a connection that was polled last at the one moment, at the other. */
export async function enqueueDuePolls(
  queue: Pick<Queue, 'add'>,
  connectionId: string,
  lastAt: number,
  now: number,
): Promise<void> {
  for (const model of latestModels) {
    const slowestMs = SLOWEST_MS[model] ?? 1
    if (Math.floor(lastAt / slowestMs) < Math.floor(now / slowestMs))
      await enqueuePoll(queue, connectionId, model)
  }
}

/** Three turns, or a minute where that is longer: polls wait behind syncs. */
const INTERVALS_VALID = 3
const MIN_VALIDITY_MS = 60_000

/** For how long a poll stands for what is now: longer, and polling has come to a halt. */
export const pollValidityMs = (model: LatestModel, everyMs: number): number =>
  Math.max(MIN_VALIDITY_MS, INTERVALS_VALID * Math.max(everyMs, SLOWEST_MS[model] ?? 0))
