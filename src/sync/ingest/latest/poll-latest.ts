import type { LatestModel, NormalizedLatestRecords } from '../../../domain/record-models.ts'
import type { ProviderApi } from '../../../providers/provider-api.ts'
import { ProviderError } from '../../../providers/provider-error.ts'
import type { Priority } from '../../../providers/rate-limit/rate-limit.ts'
import type { ProviderAdapter, Reader, ReadPage } from '../../../providers/provider.ts'
import { OUTBOX_TOPIC } from '../../../storage/outbox.ts'
import type { Connection } from '../../../subgraphs/connections/connection.ts'
import { openAccount } from '../../../subgraphs/connections/credentials/open-account.ts'
import type { RenewalDeps } from '../../../subgraphs/connections/credentials/renewal-lease.ts'
import type { LatestVehicleLocation } from '../../../subgraphs/telemetry/location.ts'
import { locationsTopic } from '../../../subgraphs/telemetry/topics.ts'
import { emitLocationEvents } from './emit-location-events.ts'
import { createLoopGuard } from '../pagination-loop-guard.ts'
import { disconnectUnauthorized, type OpenedConnection } from '../disconnect-unauthorized.ts'
import { withoutRemoved } from './purge-removed.ts'
import { latestStateStores, storeLatestStates } from './latest-state-store.ts'
import { type PageFaults, parsePage } from '../parse-page.ts'
import { savePollCursor, loadPollCursor, type PollProgress } from './poll-cursor.ts'
import { rosterIds } from '../roster-ids.ts'
import { filterByVisibleOwners } from '../connection-filter.ts'
import { inVersionedTransaction } from '../versioned-transaction.ts'

/** Dependencies for reading from a provider and storing the result. */
export interface IngestDeps extends RenewalDeps {
  readonly log?: { info(fields: object, message: string): void } | undefined
}

/** One poll of a latest-state model, from the first page to the last. */
export interface LatestPoll {
  readonly connection: Connection
  readonly model: LatestModel
  readonly priority: Priority
  readonly signal: AbortSignal
  /** Time for which the states count as current, in ms; 0 if the poll is not a scheduled one. */
  readonly validForMs: number
  /** Called after each stored page. */
  onPage?(): void
}

/** Records of a poll that were not stored, or only in part. */
export interface PollFaults {
  /** Number of records that could not be read. */
  unreadable: number
  /** Why they could not be read; up to `MAX_REASONS` different texts. */
  readonly reasons: Set<string>
  /** Number of records that were stored without their invalid values. */
  partial: number
  /** Fields that had an invalid value. */
  readonly fields: Set<string>
}

const MAX_REASONS = 5

/**
 * Logs which records of a poll could not be read, in one line. Level info: no operator needs to act. An issue of the
 * connection informs its owner.
 */
export function logUnreadable(
  { log }: IngestDeps,
  { connection, model }: Pick<LatestPoll, 'connection' | 'model'>,
  { unreadable: records, reasons }: PollFaults,
): void {
  if (records === 0) return
  log?.info({ model, connectionId: connection.id, records, reasons: [...reasons] }, 'unreadable data skipped')
}

/**
 * Polls a latest-state model and stores it page by page, for managed polling and for requests of callers. A poll that
 * fails after some pages is resumed by the next poll. If the provider refuses the credentials, the connection is
 * disconnected before the error is thrown. Does nothing if the provider does not support the model. Returns the faults
 * of the records that it read.
 */
export async function pollLatest(deps: IngestDeps, poll: LatestPoll): Promise<PollFaults> {
  const faults: PollFaults = { unreadable: 0, reasons: new Set(), partial: 0, fields: new Set() }
  const { connection, model, priority, signal } = poll
  const adapter = deps.registry.find(connection.provider)
  if (!adapter?.latest[model]) return faults
  const account = {
    connection,
    providerName: adapter.manifest.name,
    clock: deps.clock,
    usedCredentialsVersion: '',
  }
  const api = await openAccount(deps, connection, signal, priority, ({ sealed }) => {
    account.usedCredentialsVersion = sealed
  })
  try {
    await continuePoll(deps, poll, adapter, api, faults)
    return faults
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'invalid_credentials')
      await disconnect(deps, account)
    throw error
  }
}

async function disconnect({ db, notifier }: IngestDeps, account: OpenedConnection): Promise<void> {
  await db.transaction((tx) => disconnectUnauthorized(tx, account, { keepsSyncs: true }))
  notifier.notify(OUTBOX_TOPIC)
}

/** Resumes an unfinished poll. If the provider no longer accepts the position, starts from the beginning. */
async function continuePoll(
  deps: IngestDeps,
  poll: LatestPoll,
  adapter: ProviderAdapter,
  api: ProviderApi,
  faults: PollFaults,
) {
  const now = deps.clock.now()
  const fromStart: PollProgress = { begunAt: now, state: null }
  const { isFresh, unfinished } = await loadPollCursor(deps.db, poll, now)
  // Another poll may have completed since this caller found no current state.
  if (isFresh && poll.priority === 'live') return
  if (!unfinished) return readPages(deps, poll, adapter, api, fromStart, faults)
  try {
    await readPages(deps, poll, adapter, api, unfinished, faults)
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'malformed') throw error
    await readPages(deps, poll, adapter, api, fromStart, faults)
  }
}

async function readPages(
  deps: IngestDeps,
  poll: LatestPoll,
  { latest, manifest }: ProviderAdapter,
  api: ProviderApi,
  { begunAt, state: first }: PollProgress,
  faults: PollFaults,
): Promise<void> {
  const { db, clock, notifier } = deps
  const { connection, model, signal } = poll
  const reader = latest[model] as Reader<NormalizedLatestRecords[LatestModel]>
  const store = latestStateStores[model]
  const wholeTime = { from: 0, to: clock.now() }
  const roster = rosterIds(db, connection)
  const guard = createLoopGuard()
  const pageFaults: PageFaults = {
    onUnreadable(_raw, error) {
      faults.unreadable += 1
      if (faults.reasons.size < MAX_REASONS)
        faults.reasons.add(error instanceof Error ? error.message : String(error))
    },
    onInvalidFields(fields) {
      faults.partial += 1
      for (const field of fields) faults.fields.add(field)
    },
  }
  let state = first
  do {
    const page: ReadPage = await reader.read(api, state, wholeTime, roster)
    const parsed = parsePage({ model, reader, asOf: clock.now() }, page.records, pageFaults)
    const { updated, emitted } = await inVersionedTransaction(
      deps,
      connection,
      async (tx, stamp, { filters }) => {
        const visible = await filterByVisibleOwners(tx, { ...connection, filters }, model, parsed)
        const present = await withoutRemoved(tx, store, connection, visible)
        const { count, newLocations } = await storeLatestStates(
          tx,
          store,
          connection,
          reader.schema,
          present,
          stamp,
        )
        const isOfVehicles = model === 'LatestVehicleLocation'
        const vehicleLocations = (isOfVehicles
          ? newLocations
          : []) as unknown as readonly LatestVehicleLocation[]
        await savePollCursor(tx, poll, { begunAt, state: page.next }, clock.now())
        const emitted = await emitLocationEvents(
          tx,
          { ...connection, filters },
          manifest.name,
          vehicleLocations,
          stamp,
        )
        return { updated: isOfVehicles ? count : 0, emitted }
      },
    )
    if (updated > 0) notifier.notify(locationsTopic(connection.applicationId))
    if (emitted > 0) notifier.notify(OUTBOX_TOPIC)
    state = page.next
    poll.onPage?.()
    if (state !== null) guard(state)
    signal.throwIfAborted()
  } while (state !== null)
}
