import type { Clock } from '../../../domain/time.ts'
import { createConcurrencyLimit } from '../../../platform/lifecycle/concurrency-limit.ts'
import type { Database, Transaction } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Tenant } from '../../../storage/sql/where.ts'
import { lockAgainstDeletion } from '../../tables/lock-against-deletion.ts'
import { createVisibleReads } from '../../tables/visible-reads.ts'
import { findKnownPlaces } from '../evidence/find-known-places.ts'
import { placeOf } from '../evidence/merchant-place.ts'
import type { MerchantPlace } from '../rules/purchase-facts.ts'
import { isAfter, positionOfInput, type ReplayInput, type ReplayPosition } from './past-purchase.ts'
import { PastVehicles } from './past-vehicles.ts'
import { type PurchaseReplay, ReplayedPurchase, replayedId } from './purchase-replay.ts'
import { RecentPurchases } from './recent-purchases.ts'
import { replayPurchase } from './replay-purchase.ts'
import { summarizeReplay } from './summarize-replay.ts'

interface ReplayDeps {
  readonly db: Database
  readonly clock: Clock
  /** Gets the number of purchases that are done. */
  readonly onProgress?: (done: number) => void
}

/** Purchases whose results are stored in one transaction. */
export const PURCHASES_PER_BATCH = 200
/** Purchases that are read at the same time. */
const CONCURRENCY = 8

type ReplayBatches = AsyncIterable<readonly ReplayInput[]> | Iterable<readonly ReplayInput[]>

/** Returns purchases in batches. */
export function* batchesOf(inputs: readonly ReplayInput[]): Generator<readonly ReplayInput[]> {
  for (let from = 0; from < inputs.length; from += PURCHASES_PER_BATCH)
    yield inputs.slice(from, from + PURCHASES_PER_BATCH)
}

/** Another process runs the same replay. */
export class ConcurrentReplay extends Error {
  constructor() {
    super('another process runs this replay')
  }
}

/**
 * Replays purchases, given in the order of their time, from the first one without a result. Results are stored in batches:
 * after an interruption, the same call continues, and ends with the same results. Throws `ConcurrentReplay` if another
 * process stores results.
 */
export async function runReplay(
  { db: database, clock, onProgress }: ReplayDeps,
  tenant: Tenant,
  replay: PurchaseReplay,
  batches: ReplayBatches,
): Promise<PurchaseReplay> {
  const db = database.inBackground()
  const { id, settings, createdAt } = replay
  const vehicles = new PastVehicles({ db, tenant, settings, now: createdAt })
  const recent = new RecentPurchases()
  const limited = createConcurrencyLimit(CONCURRENCY)
  let { done } = replay
  for await (const batch of batches) {
    const compared = await compare(db, tenant, recent, batch)
    const known = compared.filter((input) => isNew(input, replay))
    const last = known.at(-1)
    if (!last) continue
    const from = done
    done += known.length
    const reads = { db, tenant, visible: createVisibleReads(db, tenant) }
    const replayed = async ({ purchase, line, checkId, ...rest }: (typeof known)[number], index: number) => {
      const { vehicleId, purchasedAt, phase } = purchase
      const vehicle = await vehicles.find(vehicleId)
      if (!vehicle) return []
      const row: ReplayedPurchase = {
        id: replayedId(id, from + index),
        replayId: id,
        applicationId: replay.applicationId,
        connectionId: vehicle.connectionId,
        vehicleId,
        purchasedAt,
        phase,
        line,
        checkId,
        result: await replayPurchase(reads, vehicle, { purchase, ...rest }),
      }
      return [row]
    }
    const rows = await Promise.all(known.map((input, index) => limited(() => replayed(input, index))))
    const results = { from, done, position: positionOfInput(last), rows: rows.flat() }
    await db.transaction((tx) => storeResults(tx, replay, results))
    onProgress?.(done)
  }
  const summary = await summarizeReplay(db, replay, done)
  const endedAt = clock.now()
  await db.transaction(
    (tx) =>
      tx.run(
        `UPDATE \`purchase_replays\` SET \`endedAt\` = ?, \`summary\` = ?
          WHERE \`id\` = ? AND \`applicationId\` = ? AND \`endedAt\` IS NULL`,
        [endedAt, JSON.stringify(summary), id, replay.applicationId],
      ),
    'idempotent',
  )
  return { ...replay, done, endedAt, summary }
}

/** Returns the purchases of a batch with their places, and with the earlier purchases that they are compared with. */
async function compare(
  db: Pick<Database, 'rows' | 'dialect'>,
  tenant: Tenant,
  recent: RecentPurchases,
  batch: readonly ReplayInput[],
) {
  const places = await placesOf(db, tenant, batch)
  return batch.map((input, index) => {
    const [place, others] = [places[index] ?? null, recent.before(input.purchase)]
    recent.add(input.purchase, place)
    return { ...input, place, others }
  })
}

/** Returns the places of merchants. Learnt places are left out: later purchases would help earlier ones. */
async function placesOf(
  db: Pick<Database, 'rows' | 'dialect'>,
  { applicationId }: Tenant,
  batch: readonly ReplayInput[],
): Promise<(MerchantPlace | null)[]> {
  const merchants = batch.map(({ purchase }) => purchase.merchant)
  const known = await findKnownPlaces(db, { applicationId, connectionId: null }, merchants)
  return Promise.all(merchants.map((merchant) => placeOf(merchant, known?.(merchant))))
}

/** Whether an input was not replayed before an interruption. */
const isNew = (input: ReplayInput, { position }: PurchaseReplay): boolean =>
  position === null || isAfter(positionOfInput(input), position)

interface BatchResults {
  readonly from: number
  readonly done: number
  readonly position: ReplayPosition
  readonly rows: readonly ReplayedPurchase[]
}

async function storeResults(
  tx: Transaction,
  { id, applicationId }: PurchaseReplay,
  { from, done, position, rows }: BatchResults,
): Promise<void> {
  const changed = await tx.run(
    `UPDATE \`purchase_replays\` SET \`done\` = ?, \`position\` = ?
      WHERE \`id\` = ? AND \`applicationId\` = ? AND \`done\` = ? AND \`endedAt\` IS NULL`,
    [done, JSON.stringify(position), id, applicationId, from],
  )
  if (changed === 0) throw new ConcurrentReplay()
  const deleted = new Set<string>()
  for (const { connectionId } of connectionsOf(rows))
    if (!(await lockAgainstDeletion(tx, { id: connectionId, applicationId }))) deleted.add(connectionId)
  await tx.insert(
    tableOf(ReplayedPurchase),
    rows.filter(({ connectionId }) => !deleted.has(connectionId)),
  )
}

const connectionsOf = (rows: readonly ReplayedPurchase[]): ReplayedPurchase[] => [
  ...new Map(rows.map((row) => [row.connectionId, row])).values(),
]
