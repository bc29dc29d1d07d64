import { derivedId } from '../../../src/domain/ids.ts'
import type { GpsFix } from '../../../src/sync/ifta/mileage/gps-fix.ts'
import { registry } from '../../../src/providers/registry.ts'
import type { ProviderAdapter } from '../../../src/providers/provider.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { Sync } from '../../../src/subgraphs/connections/syncs/sync.ts'
import { checkpointsOf } from '../../../src/sync/pipeline/checkpoint.ts'
import { computeIfta } from '../../../src/sync/ifta/compute-ifta.ts'
import { takeSyncLease } from '../../../src/sync/sync-lease.ts'
import type { WorkerDeps } from '../../../src/sync/sync-context.ts'
import { timeSeriesStores, storeTimeSeries } from '../../../src/sync/ingest/time-series-store.ts'
import { inVersionedTransaction } from '../../../src/sync/ingest/versioned-transaction.ts'
import { storedModels } from '../../../src/sync/pipeline/stored-models.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { upsert } from '../../../src/sync/pipeline/upsert.ts'
import type { Store } from '../../prove/support/service-process.ts'
import { SyncHarness } from '../sync/sync-harness.ts'
import { normalizedVehicle } from '../sync/normalized-vehicle.ts'

export interface StoredMonth {
  readonly vehicle: string
  readonly month: string
  readonly jurisdiction: string
  readonly distance: number
}

export interface RawMonth {
  readonly computed: boolean
  readonly timeZone: string
  readonly gaps: readonly Record<string, unknown>[]
}

/**
 * A connection to a provider with location tracks and without IFTA data. Points are seeded as a sync stores
 * them.
 */
export class IftaHarness {
  private constructor(readonly harness: SyncHarness) {}

  static async start(store: Store, vehicles: readonly string[] = ['truck']): Promise<IftaHarness> {
    const started = new IftaHarness(await SyncHarness.start(store))
    await started.set({ timeZone: 'America/Chicago' })
    await started.plantVehicles(vehicles)
    return started
  }

  get db() {
    return this.harness.db
  }

  /** Returns the sandbox adapter reduced to vehicles, locations and odometers. */
  get adapter(): ProviderAdapter {
    const adapter = this.harness.tools.registry.find('sandbox')
    if (!adapter) throw new Error('no sandbox adapter')
    const { Vehicle, VehicleLocation, VehicleStatLog } = adapter.readers
    return { ...adapter, readers: { Vehicle, VehicleLocation, VehicleStatLog } as ProviderAdapter['readers'] }
  }

  get tools(): WorkerDeps {
    return { ...this.harness.tools, registry: registry([this.adapter]) }
  }

  async set(columns: Readonly<Record<string, string | number | null>>): Promise<void> {
    for (const [column, value] of Object.entries(columns))
      await this.db.transaction((tx) =>
        tx.run(`UPDATE \`connections\` SET \`${column}\` = ? WHERE \`id\` = ?`, [
          value,
          this.harness.connectionId,
        ]),
      )
  }

  async seed(vehicleSourceId: string, fixes: Iterable<GpsFix>): Promise<void> {
    const connection = await this.connection()
    const track = [...fixes]
    const points = track.map(({ locatedAt, longitude, latitude }) => ({
      raw: {},
      normalized: {
        vehicleSourceId,
        driverSourceId: null,
        locatedAt,
        location: { longitude, latitude },
        address: null,
        headingDegrees: null,
        speedKph: null,
      },
    }))
    await inVersionedTransaction(this.tools, connection, async (tx, stamp) => {
      await storeTimeSeries(tx, timeSeriesStores.VehicleLocation, connection, 'point', points, stamp)
    })
    await this.seedReadings(vehicleSourceId, track)
  }

  /** Stores only the odometer readings of fixes. */
  async seedReadings(vehicleSourceId: string, fixes: Iterable<GpsFix>): Promise<void> {
    const connection = await this.connection()
    const readings = [...fixes]
      .filter(({ odometerKilometers }) => odometerKilometers != null)
      .map(({ locatedAt, odometerKilometers }) => ({
        raw: {},
        normalized: {
          vehicleSourceId,
          type: 'odometer' as const,
          timestamp: locatedAt,
          sourceId: null,
          value: odometerKilometers ?? null,
          state: null,
        },
      }))
    await inVersionedTransaction(this.tools, connection, async (tx, stamp) => {
      await storeTimeSeries(tx, timeSeriesStores.VehicleStatLog, connection, 'reading', readings, stamp)
    })
  }

  /** Computes mileage as the end of a sync does, for a new sync or an interrupted one. */
  async compute({
    signal = new AbortController().signal,
    syncId = '',
    startFrom = null as number | null,
    keptFrom = 0,
  } = {}) {
    const id = syncId || (await this.harness.request()).id
    if (startFrom !== null)
      await this.db.transaction((tx) =>
        tx.run('UPDATE `syncs` SET `startFrom` = ? WHERE `id` = ?', [startFrom, id]),
      )
    const sync = await findById(this.db, Sync, id)
    const taken = await takeSyncLease(this.tools, id, async () => undefined)
    if (!sync || !taken) throw new Error('the sync is leased')
    const { lease } = taken
    const run = {
      ...this.tools,
      connection: await this.connection(),
      sync,
      usedCredentialsVersion: '',
      providerName: 'Sandbox',
      lease,
      timeSlice: { yieldIfExpired: async () => undefined },
      signal,
      isConsented: false,
      unreadModels: new Set<never>(),
      onEvents: () => undefined,
      keptFrom,
      onUnreadable: () => undefined,
    }
    try {
      await computeIfta(run, this.adapter)
      await this.complete(id)
    } finally {
      await lease.release()
    }
  }

  async months(): Promise<StoredMonth[]> {
    const rows = await this.db.rows<StoredMonth>(
      'SELECT v.`sourceId` AS `vehicle`, m.`month`, m.`jurisdiction`, m.`distance` FROM `ifta_vehicle_months` AS m ' +
        'JOIN `vehicles` AS v ON v.`id` = m.`vehicleId` WHERE m.`deletedAt` IS NULL ' +
        'ORDER BY v.`sourceId`, m.`month`, m.`jurisdiction`',
    )
    return rows.map((row) => ({ ...row, distance: Number(row.distance) }))
  }

  async raw(sourceId: string): Promise<RawMonth & { readonly schemaName: string }> {
    const id = derivedId('iftaReport', this.harness.connectionId, sourceId)
    const [row] = await this.db.rows<{ data: string | RawMonth; schemaName: string }>(
      'SELECT `data`, `schemaName` FROM `raw_records` WHERE `ownerId` = ?',
      [id],
    )
    if (!row) throw new Error(`no rows of ${sourceId}`)
    const data = typeof row.data === 'string' ? (JSON.parse(row.data) as RawMonth) : row.data
    return { ...data, schemaName: row.schemaName }
  }

  async place() {
    return (await checkpointsOf(this.db, this.harness.connectionId)).get('IFTASummary')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.harness[Symbol.asyncDispose]()
  }

  private async complete(id: string): Promise<void> {
    await this.db.transaction((tx) =>
      tx.run("UPDATE `syncs` SET `status` = 'completed', `completedAt` = ? WHERE `id` = ?", [
        this.tools.clock.now(),
        id,
      ]),
    )
  }

  private async connection(): Promise<Connection> {
    const connection = await findById(this.db, Connection, this.harness.connectionId)
    if (!connection) throw new Error('no connection')
    return connection
  }

  private async plantVehicles(sourceIds: readonly string[]): Promise<void> {
    const connection = await this.connection()
    await inVersionedTransaction(this.tools, connection, async (tx, stamp) => {
      const reads = sourceIds.map((sourceId) => ({
        raw: {},
        normalized: normalizedVehicle({ sourceId, name: sourceId }),
      }))
      const unit = { connection, syncId: 'sync_0' as const, stamp }
      await upsert(tx, storedModels.Vehicle, unit, 'vehicle', reads, { marksSeen: false })
    })
  }
}
