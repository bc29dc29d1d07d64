import type { Id } from '../ids.ts'
import type { LatestModel } from '../models.ts'
import { ProviderError } from '../providers/api.ts'
import type { LatestDrafts } from '../providers/drafts.ts'
import type { Reader, ReaderState, ReadPage } from '../providers/provider.ts'
import type { JobRun } from '../queue/queue.ts'
import { OUTBOX_TOPIC } from '../storage/outbox.ts'
import { one } from '../storage/one.ts'
import { holds } from '../subgraphs/connection-states.ts'
import { Connection } from '../subgraphs/connections/connection.ts'
import { openAccount } from '../subgraphs/connections/credentials/open-account.ts'
import type { LatestVehicleLocation } from '../subgraphs/telemetry/location.ts'
import { locationsTopic } from '../subgraphs/telemetry/topics.ts'
import { announcePositions } from './reading/announce-positions.ts'
import { storedLatest, storeLatest } from './reading/latest.ts'
import { rosterOf } from './reading/roster.ts'
import type { SyncTools } from './run.ts'
import { ofShownOwners } from './reading/shown-owners.ts'
import { stamped } from './reading/stamp.ts'
import type { Read } from './reading/upsert.ts'

/** Managed polling: reads what is only of now, so that readers need not ask the provider. */
export async function pollLatest(
  tools: SyncTools,
  connectionId: Id<'connection'>,
  model: LatestModel,
  { signal }: JobRun,
): Promise<void> {
  const connection = await one(tools.db, Connection, connectionId)
  const adapter = connection && tools.registry.find(connection.provider)
  const reader = adapter?.latest[model] as Reader<LatestDrafts[LatestModel]> | undefined
  if (!connection || !adapter || !reader || !holds(connection.status, 'isAsked')) return
  const api = await openAccount(tools, connection, signal)
  const everywhere = { from: 0, to: tools.clock.now() }
  const roster = rosterOf(tools.db, connection)
  const stored = storedLatest[model]
  let state: ReaderState = null
  do {
    const page: ReadPage = await reader.read(api, state, everywhere, roster)
    const read = readsOf(tools, connection, reader, page.records)
    const reads = await ofShownOwners(tools.db, connection, model, read)
    const { news, told } = await stamped(tools, connection, async (tx, stamp) => {
      const rows = await storeLatest(tx, stored, connection, reader.schema, reads, stamp)
      const news = model === 'LatestVehicleLocation' ? (rows as unknown as LatestVehicleLocation[]) : []
      return { news, told: await announcePositions(tx, connection, adapter.manifest.name, news, stamp) }
    })
    if (news.length > 0) tools.doorbell.ring(locationsTopic(connection.applicationId))
    if (told > 0) tools.doorbell.ring(OUTBOX_TOPIC)
    state = page.next
    signal.throwIfAborted()
  } while (state !== null)
}

function readsOf<Draft>(
  { log }: SyncTools,
  connection: Connection,
  reader: Reader<Draft>,
  records: readonly unknown[],
): Read<Draft>[] {
  const reads: Read<Draft>[] = []
  for (const raw of records) {
    try {
      reads.push({ draft: reader.toDraft(raw), raw })
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      log.warn({ err: error }, 'a record was left out')
    }
  }
  return reads
}
