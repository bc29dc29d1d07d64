import { latestModels, type LatestModel } from '../models.ts'
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
export const queuePoll = (
  queue: Pick<Queue, 'add'>,
  connectionId: string,
  model: LatestModel,
): Promise<void> => queue.add('poll-latest', { connectionId, model }, { key: keyOf(connectionId, model) })

/** The same; false where there was such a poll before, which may have begun to read. */
export async function queueAnotherPoll(
  queue: Pick<Queue, 'add' | 'holds'>,
  connectionId: string,
  model: LatestModel,
): Promise<boolean> {
  const isThere = await queue.holds('poll-latest', keyOf(connectionId, model))
  await queuePoll(queue, connectionId, model)
  return !isThere
}

export async function pollNow(queue: Pick<Queue, 'add'>, connectionId: string): Promise<void> {
  for (const model of latestModels) await queuePoll(queue, connectionId, model)
}

/** Polls what is due of a connection that was polled last at the one moment, at the other. */
export async function queuePolls(
  queue: Pick<Queue, 'add'>,
  connectionId: string,
  lastAt: number,
  now: number,
): Promise<void> {
  for (const model of latestModels) {
    const slowestMs = SLOWEST_MS[model] ?? 1
    if (Math.floor(lastAt / slowestMs) < Math.floor(now / slowestMs))
      await queuePoll(queue, connectionId, model)
  }
}

/** Three turns, or a minute where that is longer: polls wait behind syncs. */
const TURNS = 3
const LEAST_MS = 60_000

/** For how long a poll stands for what is now: longer, and polling has come to a halt. */
export const standsForMs = (model: LatestModel, everyMs: number): number =>
  Math.max(LEAST_MS, TURNS * Math.max(everyMs, SLOWEST_MS[model] ?? 0))
