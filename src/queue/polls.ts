import { latestModels, type LatestModel } from '../models.ts'
import type { Queue } from './queue.ts'

/** Managed polling of a connection: a schedule for each model that is only of now. */

/** Trailers and the clocks of drivers move slower than vehicles. */
const SLOWEST_MS: Partial<Record<LatestModel, number>> = {
  LatestTrailerLocation: 30_000,
  HOSAvailableTime: 30_000,
}

const keyOf = (connectionId: string, model: LatestModel): string => `${connectionId}-${model}`

export async function pollNow(queue: Pick<Queue, 'add'>, connectionId: string): Promise<void> {
  for (const model of latestModels)
    await queue.add('poll-latest', { connectionId, model }, { key: keyOf(connectionId, model) })
}

export async function schedulePolls(queue: Queue, connectionId: string, pollMs: number): Promise<void> {
  for (const model of latestModels) {
    const everyMs = Math.max(pollMs, SLOWEST_MS[model] ?? 0)
    await queue.every('poll-latest', keyOf(connectionId, model), { connectionId, model }, everyMs)
  }
}

export async function unschedulePolls(queue: Queue, connectionId: string): Promise<void> {
  for (const model of latestModels) await queue.unschedule('poll-latest', keyOf(connectionId, model))
}
