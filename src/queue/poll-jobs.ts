import { latestModels, type LatestModel } from '../domain/record-models.ts'
import type { Queue } from './queue.ts'

/** Managed polling: the service polls a connection by schedule, with one job for each latest-state model. */

/** Minimum poll interval of models that change more slowly than vehicle locations. */
const MIN_INTERVAL_MS: Partial<Record<LatestModel, number>> = {
  LatestTrailerLocation: 30_000,
  HOSAvailableTime: 30_000,
}

/** Connection option for the poll interval in seconds. It was validated when it was set. */
export const POLL_OPTION = 'locationPollSeconds'

export function pollIntervalMs(options: Readonly<Record<string, unknown>>, defaultMs: number): number {
  const seconds = options[POLL_OPTION]
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : defaultMs
}

const keyOf = (connectionId: string, model: LatestModel): string => `${connectionId}-${model}`

/** Enqueues a poll of one model, unless a poll of the same connection and model waits or runs. */
export const enqueuePoll = (
  queue: Pick<Queue, 'add'>,
  connectionId: string,
  model: LatestModel,
): Promise<void> => queue.add('poll-latest', { connectionId, model }, { key: keyOf(connectionId, model) })

/**
 * Enqueues a poll like `enqueuePoll`. Returns false if an earlier poll was waiting or running. That poll may already
 * have read the provider, so it can miss a change that occurred just now.
 */
export async function enqueuePollIfNone(
  queue: Pick<Queue, 'add' | 'hasJob'>,
  connectionId: string,
  model: LatestModel,
): Promise<boolean> {
  const isQueued = await queue.hasJob('poll-latest', keyOf(connectionId, model))
  await enqueuePoll(queue, connectionId, model)
  return !isQueued
}

/** Enqueues the polls of all latest-state models. */
export async function enqueuePolls(queue: Pick<Queue, 'add'>, connectionId: string): Promise<void> {
  for (const model of latestModels) await enqueuePoll(queue, connectionId, model)
}

/**
 * Enqueues the polls of a connection that became due between its last poll, at `lastAt`, and `now`. A model with a
 * minimum interval is due only once in each such interval.
 */
export async function enqueueDuePolls(
  queue: Pick<Queue, 'add'>,
  connectionId: string,
  lastAt: number,
  now: number,
): Promise<void> {
  for (const model of latestModels) {
    const minIntervalMs = MIN_INTERVAL_MS[model] ?? 1
    if (Math.floor(lastAt / minIntervalMs) < Math.floor(now / minIntervalMs))
      await enqueuePoll(queue, connectionId, model)
  }
}

/**
 * A polled state is valid for three intervals, at least for a minute, because a poll can be late when syncs are
 * running.
 */
const INTERVALS_VALID = 3
const MIN_VALIDITY_MS = 60_000

/** Returns the time in ms for which a polled state counts as current. If the state is older, polling has stalled. */
export const pollValidityMs = (model: LatestModel, everyMs: number): number =>
  Math.max(MIN_VALIDITY_MS, INTERVALS_VALID * Math.max(everyMs, MIN_INTERVAL_MS[model] ?? 0))
