import type { Id } from '../ids.ts'
import { readLatest } from '../intake/read-latest.ts'
import type { LatestModel } from '../models.ts'
import { ProviderError } from '../providers/api.ts'
import { pollIntervalMs, standsForMs } from '../queue/polls.ts'
import type { JobRun } from '../queue/queue.ts'
import { one } from '../storage/one.ts'
import { holds } from '../subgraphs/connection-states.ts'
import { Connection } from '../subgraphs/connections/connection.ts'
import type { SyncTools } from './run.ts'

/** Managed polling: reads what is only of now, so that readers need not ask the provider. */
export async function pollLatest(
  tools: SyncTools,
  connectionId: Id<'connection'>,
  model: LatestModel,
  { signal }: JobRun,
  presetMs = 0,
): Promise<void> {
  const connection = await one(tools.db, Connection, connectionId)
  if (!connection || !holds(connection.status, 'isAsked')) return
  const everyMs = pollIntervalMs(connection.options, presetMs)
  try {
    await readLatest(tools, {
      connection,
      model,
      priority: 'background',
      signal,
      standsForMs: standsForMs(model, everyMs),
    })
  } catch (error) {
    // By now it is disconnected, and nothing is left to be polled.
    if (!(error instanceof ProviderError) || error.kind !== 'revoked') throw error
  }
}
