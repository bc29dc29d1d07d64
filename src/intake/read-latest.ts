import type { LatestModel } from '../models.ts'
import { ProviderError, type ProviderApi } from '../providers/api.ts'
import type { Priority } from '../providers/budgets/budget.ts'
import type { LatestDrafts } from '../providers/drafts.ts'
import type { ProviderAdapter, Reader, ReadPage } from '../providers/provider.ts'
import { OUTBOX_TOPIC } from '../storage/outbox.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import { openAccount } from '../subgraphs/connections/credentials/open-account.ts'
import type { RenewFrom } from '../subgraphs/connections/credentials/renewal-lease.ts'
import type { LatestVehicleLocation } from '../subgraphs/telemetry/location.ts'
import { locationsTopic } from '../subgraphs/telemetry/topics.ts'
import { announcePositions } from './announce-positions.ts'
import { circleGuard } from './circle.ts'
import { disconnectRefused, type SignedIn } from './disconnect-refused.ts'
import { ofThosePresent } from './forget-gone.ts'
import { storedLatest, storeLatest } from './latest.ts'
import { readsOf } from './read.ts'
import { noteRead, placeOf, type Reading } from './reading-place.ts'
import { rosterOf } from './roster.ts'
import { ofShownOwners } from './shown-owners.ts'
import { stamped } from './stamp.ts'

/** What it takes to read a provider and to store what it says. */
export interface IntakeFrom extends RenewFrom {
  readonly log?: { warn(fields: object, message: string): void } | undefined
}

/** One reading of what is only of now, from the first page to the last. */
export interface LatestRun {
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
export async function readLatest(from: IntakeFrom, run: LatestRun): Promise<void> {
  const { connection, model, priority, signal } = run
  const adapter = from.registry.find(connection.provider)
  if (!adapter?.latest[model]) return
  const account = { connection, providerName: adapter.manifest.name, clock: from.clock, signedInWith: '' }
  const api = await openAccount(from, connection, signal, priority, ({ sealed }) => {
    account.signedInWith = sealed
  })
  try {
    await readOn(from, run, adapter, api)
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'revoked') await disconnect(from, account)
    throw error
  }
}

async function disconnect({ db, doorbell }: IntakeFrom, account: SignedIn): Promise<void> {
  await db.transaction((tx) => disconnectRefused(tx, account, { keepsSyncs: true }))
  doorbell.ring(OUTBOX_TOPIC)
}

/** From where another reading was left, unless its place is not known there any more. */
async function readOn(from: IntakeFrom, run: LatestRun, adapter: ProviderAdapter, api: ProviderApi) {
  const now = from.clock.now()
  const anew: Reading = { begunAt: now, state: null }
  const { isFresh, left } = await placeOf(from.db, run, now)
  // Whoever asked before may have ended after this caller had looked.
  if (isFresh && run.priority === 'live') return
  if (!left) return readPages(from, run, adapter, api, anew)
  try {
    await readPages(from, run, adapter, api, left)
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'malformed') throw error
    await readPages(from, run, adapter, api, anew)
  }
}

async function readPages(
  from: IntakeFrom,
  run: LatestRun,
  { latest, manifest }: ProviderAdapter,
  api: ProviderApi,
  { begunAt, state: first }: Reading,
): Promise<void> {
  const { db, clock, doorbell, log } = from
  const { connection, model, signal } = run
  const reader = latest[model] as Reader<LatestDrafts[LatestModel]>
  const stored = storedLatest[model]
  const everywhere = { from: 0, to: clock.now() }
  const roster = rosterOf(db, connection)
  const guard = circleGuard()
  const leftOut = (_raw: unknown, err: unknown) =>
    log?.warn({ err, model, connectionId: connection.id }, 'a record was left out')
  let state = first
  do {
    const page: ReadPage = await reader.read(api, state, everywhere, roster)
    const reads = await ofShownOwners(
      db,
      connection,
      model,
      readsOf(reader, page.records, clock.now(), leftOut),
    )
    const { news, told } = await stamped(from, connection, async (tx, stamp) => {
      const present = await ofThosePresent(tx, stored, connection, reads)
      const { count, elsewhere } = await storeLatest(tx, stored, connection, reader.schema, present, stamp)
      const isOfVehicles = model === 'LatestVehicleLocation'
      const positions = (isOfVehicles ? elsewhere : []) as unknown as readonly LatestVehicleLocation[]
      await noteRead(tx, run, { begunAt, state: page.next }, clock.now())
      const told = await announcePositions(tx, connection, manifest.name, positions, stamp)
      return { news: isOfVehicles ? count : 0, told }
    })
    if (news > 0) doorbell.ring(locationsTopic(connection.applicationId))
    if (told > 0) doorbell.ring(OUTBOX_TOPIC)
    state = page.next
    run.onPage?.()
    if (state !== null) guard(state)
    signal.throwIfAborted()
  } while (state !== null)
}
