import type { Id } from '../ids.ts'
import { ProviderError } from '../providers/api.ts'
import type { LatestLocationDraft } from '../providers/drafts.ts'
import type { ProviderAdapter, ReaderState } from '../providers/provider.ts'
import type { JobRun } from '../queue/queue.ts'
import { Connection, ConnectionStatus } from '../subgraphs/connections/connection.ts'
import { locationsTopic } from '../subgraphs/telemetry/topics.ts'
import type { SyncTools } from './run.ts'
import { nextStamp } from './stamp.ts'
import { credentialsOf, one } from './sync-connection.ts'
import { storeLatest } from './tracks.ts'

/** Managed polling: reads where a connection's vehicles are, so that readers need not ask the provider. */
export async function pollLocations(
  tools: SyncTools,
  connectionId: Id<'connection'>,
  { signal }: JobRun,
): Promise<void> {
  const connection = await one(tools.db, Connection, connectionId)
  const adapter = connection && tools.registry.find(connection.provider)
  if (!connection || !adapter || connection.status !== ConnectionStatus.CONNECTED) return
  const api = adapter.api(await credentialsOf(tools, connectionId), signal)
  const everywhere = { from: 0, to: tools.clock.now() }
  let state: ReaderState = null
  do {
    const page = await adapter.latestLocations.read(api, state, everywhere)
    const drafts = draftsOf(tools, connection, adapter, page.records)
    const news = await tools.db.transaction(async (tx) =>
      storeLatest(tx, connection, drafts, await nextStamp(tx, connectionId, tools.clock.now())),
    )
    if (news > 0) tools.doorbell.ring(locationsTopic(connection.applicationId))
    state = page.next
    signal.throwIfAborted()
  } while (state !== null)
}

function draftsOf(
  { log }: SyncTools,
  connection: Connection,
  adapter: ProviderAdapter,
  records: readonly unknown[],
) {
  const drafts: LatestLocationDraft[] = []
  for (const record of records) {
    try {
      drafts.push(adapter.latestLocations.toDraft(record))
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      log.warn({ err: error, connectionId: connection.id }, 'a location was left out')
    }
  }
  return drafts
}
