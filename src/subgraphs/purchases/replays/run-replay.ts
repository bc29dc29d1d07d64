import type { Clock } from '../../../domain/time.ts'
import type { Database, Transaction } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Tenant } from '../../../storage/sql/where.ts'
import { lockAgainstDeletion } from '../../tables/lock-against-deletion.ts'
import { createVisibleReads } from '../../tables/visible-reads.ts'
import { findKnownPlaces } from '../evidence/find-known-places.ts'
import { placeOf } from '../evidence/merchant-place.ts'
import type { MerchantPlace } from '../rules/purchase-facts.ts'
import type { PastPurchase } from './past-purchase.ts'
import { PastVehicles } from './past-vehicles.ts'
import { type PurchaseReplay, ReplayedPurchase, replayedId } from './purchase-replay.ts'
import { RecentPurchases } from './recent-purchases.ts'
import { replayPurchase } from './replay-purchase.ts'

/** A purchase with the line of the file that has it. */
export interface ReplayInput {
  readonly line: number | null
  readonly purchase: PastPurchase
}

interface ReplayDeps {
  readonly db: Database
  readonly clock: Clock
  /** Gets the number of purchases that are done. */
  onProgress(done: number): void
}

/** Purchases whose results are stored in one transaction. */
const PURCHASES_PER_BATCH = 200
/** Purchases that are read at the same time. */
const CONCURRENCY = 8

const table = tableOf(ReplayedPurchase)

/**
 * Replays purchases, given in the order of their time, from the first one without a result. Results are stored in batches:
 * after an interruption, the same call continues, and ends with the same results.
 */
export async function runReplay(
  { db: database, clock, onProgress }: ReplayDeps,
  tenant: Tenant,
  replay: PurchaseReplay,
  inputs: readonly ReplayInput[],
): Promise<void> {
  const db = database.inBackground()
  const { settings, createdAt } = replay
  const vehicles = new PastVehicles({ db, tenant, settings, now: createdAt })
  const recent = new RecentPurchases()
  for (let from = 0; from < inputs.length; from += PURCHASES_PER_BATCH) {
    const batch = inputs.slice(from, from + PURCHASES_PER_BATCH)
    const places = await placesOf(db, tenant, batch)
    const known = batch.map((input, index) => {
      const [others, place] = [recent.before(input.purchase), places[index] ?? null]
      recent.add(input.purchase, place)
      return { ...input, place, others, number: from + index }
    })
    if (from + batch.length <= replay.done) continue
    const reads = { db, tenant, visible: createVisibleReads(db, tenant) }
    const rows = await inChunks(known, async ({ line, number, ...one }) => {
      const { vehicleId, purchasedAt } = one.purchase
      const vehicle = await vehicles.find(vehicleId)
      if (!vehicle) return []
      const { id: replayId, applicationId } = replay
      const result = await replayPurchase(reads, vehicle, one)
      const { connectionId } = vehicle
      const id = replayedId(replayId, number)
      return [{ id, replayId, applicationId, connectionId, vehicleId, purchasedAt, line, result }]
    })
    const done = from + batch.length
    await db.transaction((tx) => storeResults(tx, replay.id, { from, done, rows: rows.flat() }))
    onProgress(done)
  }
  await db.transaction(
    (tx) =>
      tx.run('UPDATE `purchase_replays` SET `endedAt` = ? WHERE `id` = ? AND `endedAt` IS NULL', [
        clock.now(),
        replay.id,
      ]),
    'idempotent',
  )
}

/** Returns the places of merchants. Learnt places are left out: later purchases would help earlier ones. */
async function placesOf(
  db: Pick<Database, 'rows' | 'dialect'>,
  { applicationId }: Tenant,
  inputs: readonly ReplayInput[],
): Promise<(MerchantPlace | null)[]> {
  const merchants = inputs.map(({ purchase }) => purchase.merchant)
  const known = await findKnownPlaces(db, { applicationId, connectionId: null }, merchants)
  return Promise.all(merchants.map((merchant) => placeOf(merchant, known?.(merchant))))
}

async function inChunks<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += CONCURRENCY)
    results.push(...(await Promise.all(items.slice(from, from + CONCURRENCY).map(work))))
  return results
}

interface BatchResults {
  readonly from: number
  readonly done: number
  readonly rows: readonly ReplayedPurchase[]
}

/** Stores the results of a batch. Throws if another process has stored them. */
async function storeResults(
  tx: Transaction,
  replayId: string,
  { from, done, rows }: BatchResults,
): Promise<void> {
  const changed = await tx.run('UPDATE `purchase_replays` SET `done` = ? WHERE `id` = ? AND `done` = ?', [
    done,
    replayId,
    from,
  ])
  if (changed === 0) throw new Error('another process runs this replay')
  const deleted = new Set<string>()
  for (const { connectionId, applicationId } of connectionsOf(rows))
    if (!(await lockAgainstDeletion(tx, { id: connectionId, applicationId }))) deleted.add(connectionId)
  await tx.insert(
    table,
    rows.filter(({ connectionId }) => !deleted.has(connectionId)),
  )
}

const connectionsOf = (rows: readonly ReplayedPurchase[]): ReplayedPurchase[] => [
  ...new Map(rows.map((row) => [row.connectionId, row])).values(),
]
