import type { Instant } from '../../../src/domain/time.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import type { Database } from '../../../src/storage/database.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import type { DatabaseLocation } from '../../../src/storage/migrate.ts'
import { migrateAndPartition } from '../../../src/storage/bootstrap.ts'
import { type SeriesTable, seriesTables } from '../../../src/storage/series/series-tables.ts'
import { removeExpiredPoints } from '../../../src/sync/retention/series-retention.ts'
import {
  DAY,
  locationRow,
  type Owner,
  type SeededApplication,
  seedApplication,
  vehicleRow,
} from '../factories.ts'
import { emptyDatabase, recordProgress } from '../migrations/migration-harness.ts'
import { rawPointRow, statRow } from '../rows/record-rows.ts'
import type { Store } from '../../prove/support/service-process.ts'
import { stores } from '../database/stores.ts'

export const RETENTION_DAYS = 60
/** A partition covers a tenth of the retention. */
export const STEP_DAYS = 6

interface SeriesLayout {
  readonly store: Store
  readonly isPartitioned: boolean
  readonly name: string
}

/** Every layout of series tables. */
export const layouts: readonly SeriesLayout[] = stores.flatMap((store): SeriesLayout[] =>
  store === 'sqlite'
    ? [{ store, isPartitioned: false, name: 'sqlite' }]
    : [
        { store, isPartitioned: false, name: 'mariadb, not partitioned' },
        { store, isPartitioned: true, name: 'mariadb, partitioned by time' },
      ],
)

export interface RetentionHarness extends AsyncDisposable {
  readonly db: Database
  readonly place: DatabaseLocation
}

export async function createRetentionHarness({
  store,
  isPartitioned,
}: SeriesLayout): Promise<RetentionHarness> {
  const { place, ...database } = await emptyDatabase(store)
  const retentionDays = isPartitioned ? RETENTION_DAYS : undefined
  await migrateAndPartition(place, { retentionDays, includeLarge: false }, recordProgress())
  const db = await openDatabase({ ...place, poolSize: 4 })
  return {
    db,
    place,
    async [Symbol.asyncDispose]() {
      await db.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Stores an application whose vehicle has a point of each series at each age in days. */
export const seedPoints = (
  db: Database,
  now: Instant,
  daysAgo: readonly number[],
): Promise<SeededApplication> => seedApplication(db, [(owner) => pointsOf(owner, now, daysAgo)])

function pointsOf(owner: Owner, now: Instant, daysAgo: readonly number[]) {
  const vehicle = vehicleRow(owner)
  const times = daysAgo.map((days) => now - Math.round(days * DAY))
  return {
    vehicles: [vehicle],
    track: times.map((locatedAt) => locationRow(owner, { vehicleId: vehicle.id, locatedAt })),
    statLogs: times.map((timestamp) => statRow(owner, { vehicleId: vehicle.id, timestamp })),
    rawPoints: times.map((at) => rawPointRow(owner, { ownerId: vehicle.id, at })),
  }
}

export const removeAt = (db: Database, now: Instant, retentionDays: number | null = RETENTION_DAYS) =>
  removeExpiredPoints(
    {
      db: db.inBackground(),
      clock: { now: () => now },
      log: createLog('silent'),
      retentionDays: retentionDays ?? undefined,
    },
    new AbortController().signal,
  )

/** Returns the ages in days of an application's points by table, oldest first. */
export async function daysAgoOf(db: Database, applicationId: string, now: Instant) {
  const found: Record<string, number[]> = {}
  for (const { name, time } of seriesTables) {
    const rows = await db.rows<{ at: number }>(
      `SELECT \`${time}\` AS \`at\` FROM \`${name}\` WHERE \`applicationId\` = ? ORDER BY \`${time}\``,
      [applicationId],
    )
    found[name] = rows.map(({ at }) => Math.round((now - Number(at)) / DAY))
  }
  return found
}

export const inEach = <T>(value: T): Record<string, T> =>
  Object.fromEntries(seriesTables.map(({ name }: SeriesTable) => [name, value]))
