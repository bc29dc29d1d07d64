import type { LatestModel } from '../../domain/record-models.ts'
import type { ProviderApi } from '../../providers/provider-api.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { Priority } from '../../providers/rate-limit/rate-limit.ts'
import type { NormalizedLatestRecords } from '../../providers/normalized-records.ts'
import type { ProviderAdapter, Reader, ReadPage } from '../../providers/provider.ts'
import { OUTBOX_TOPIC } from '../../storage/outbox.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { openAccount } from '../../subgraphs/connections/credentials/open-account.ts'
import type { RenewalDeps } from '../../subgraphs/connections/credentials/renewal-lease.ts'
import type { LatestVehicleLocation } from '../../subgraphs/telemetry/location.ts'
import { locationsTopic } from '../../subgraphs/telemetry/topics.ts'
import { emitLocationEvents } from './emit-location-events.ts'
import { createLoopGuard } from './pagination-loop-guard.ts'
import { disconnectUnauthorized, type OpenedConnection } from './disconnect-unauthorized.ts'
import { withoutRemoved } from './purge-removed.ts'
import { latestStateStores, storeLatestStates } from './latest-state-store.ts'
import { parsePage } from './parse-page.ts'
import { savePollCursor, loadPollCursor, type PollProgress } from './poll-cursor.ts'
import { rosterIds } from './roster-ids.ts'
import { filterByVisibleOwners } from './connection-filter.ts'
import { inVersionedTransaction } from './versioned-transaction.ts'

/** What it takes to read a provider and to store what it says. */
export interface IngestDeps extends RenewalDeps {
  readonly log?: { warn(fields: object, message: string): void } | undefined
}

/** One reading of what is only of now, from the first page to the last. */
export interface LatestPoll {
  readonly connection: Connection
  readonly model: LatestModel
  readonly priority: Priority
  readonly signal: AbortSignal
  /** For how long it stands for what is now, where the connection is polled. */
  readonly standsForMs: number
  /** Called for each page that is stored. */
  onPage?(): void
}

/**
 * Reads what is only of now and stores it page by page, for managed polling and for callers alike: what one does not
 * come to, because the provider takes no more requests, the next one goes on with. Credentials that the provider refuses
 * disconnect the connection before the error is thrown. Nothing is read of a provider that does not have the model.
 */
export async function pollLatest(deps: IngestDeps, run: LatestPoll): Promise<void> {
  const { connection, model, priority, signal } = run
  const adapter = deps.registry.find(connection.provider)
  if (!adapter?.latest[model]) return
  const account = { connection, providerName: adapter.manifest.name, clock: deps.clock, signedInWith: '' }
  const api = await openAccount(deps, connection, signal, priority, ({ sealed }) => {
    account.signedInWith = sealed
  })
  try {
    await continuePoll(deps, run, adapter, api)
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'revoked') await disconnect(deps, account)
    throw error
  }
}

async function disconnect({ db, notifier }: IngestDeps, account: OpenedConnection): Promise<void> {
  await db.transaction((tx) => disconnectUnauthorized(tx, account, { keepsSyncs: true }))
  notifier.notify(OUTBOX_TOPIC)
}

/** From where another reading was left, unless its place is not known there any more. */
async function continuePoll(deps: IngestDeps, run: LatestPoll, adapter: ProviderAdapter, api: ProviderApi) {
  const now = deps.clock.now()
  const anew: PollProgress = { begunAt: now, state: null }
  const { isFresh, left } = await loadPollCursor(deps.db, run, now)
  // Whoever asked before may have ended after this caller had looked.
  if (isFresh && run.priority === 'live') return
  if (!left) return readPages(deps, run, adapter, api, anew)
  try {
    await readPages(deps, run, adapter, api, left)
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'malformed') throw error
    await readPages(deps, run, adapter, api, anew)
  }
}

async function readPages(
  deps: IngestDeps,
  run: LatestPoll,
  { latest, manifest }: ProviderAdapter,
  api: ProviderApi,
  { begunAt, state: first }: PollProgress,
): Promise<void> {
  const { db, clock, notifier, log } = deps
  const { connection, model, signal } = run
  const reader = latest[model] as Reader<NormalizedLatestRecords[LatestModel]>
  const stored = latestStateStores[model]
  const everywhere = { from: 0, to: clock.now() }
  const roster = rosterIds(db, connection)
  const guard = createLoopGuard()
  const onQuarantined = (_raw: unknown, err: unknown) =>
    log?.warn({ err, model, connectionId: connection.id }, 'record left out')
  let state = first
  do {
    const page: ReadPage = await reader.read(api, state, everywhere, roster)
    const parsed = await filterByVisibleOwners(
      db,
      connection,
      model,
      parsePage({ model, reader, asOf: clock.now() }, page.records, { onQuarantined }),
    )
    const { news, told } = await inVersionedTransaction(deps, connection, async (tx, stamp) => {
      const present = await withoutRemoved(tx, stored, connection, parsed)
      const { count, elsewhere } = await storeLatestStates(
        tx,
        stored,
        connection,
        reader.schema,
        present,
        stamp,
      )
      const isOfVehicles = model === 'LatestVehicleLocation'
      const positions = (isOfVehicles ? elsewhere : []) as unknown as readonly LatestVehicleLocation[]
      await savePollCursor(tx, run, { begunAt, state: page.next }, clock.now())
      const told = await emitLocationEvents(tx, connection, manifest.name, positions, stamp)
      return { news: isOfVehicles ? count : 0, told }
    })
    if (news > 0) notifier.notify(locationsTopic(connection.applicationId))
    if (told > 0) notifier.notify(OUTBOX_TOPIC)
    state = page.next
    run.onPage?.()
    if (state !== null) guard(state)
    signal.throwIfAborted()
  } while (state !== null)
}
