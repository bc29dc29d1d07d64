import { derivedId } from '../../src/ids.ts'
import type { Fix } from '../../src/ifta/fix.ts'
import { registry } from '../../src/providers/registry.ts'
import type { ProviderAdapter } from '../../src/providers/provider.ts'
import { Connection } from '../../src/subgraphs/connections/connection.ts'
import { Sync } from '../../src/subgraphs/connections/syncs/sync.ts'
import { checkpointsOf } from '../../src/sync/reading/checkpoint.ts'
import { computeIfta } from '../../src/sync/ifta/compute-ifta.ts'
import { takeLease } from '../../src/sync/lease.ts'
import type { SyncTools } from '../../src/sync/run.ts'
import { storedSeries, storeSeries } from '../../src/intake/series.ts'
import { stamped } from '../../src/intake/stamp.ts'
import { storedModels } from '../../src/sync/reading/stored-models.ts'
import { one } from '../../src/storage/one.ts'
import { upsert } from '../../src/sync/reading/upsert.ts'
import type { Store } from '../prove/service-process.ts'
import { SyncRig } from '../sync/rig.ts'

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

/** A connection to a provider that tells tracks and no IFTA data, with points planted as a sync would store them. */
export class IftaRig {
  private constructor(readonly rig: SyncRig) {}

  static async start(store: Store, vehicles: readonly string[] = ['truck']): Promise<IftaRig> {
    const started = new IftaRig(await SyncRig.start(store))
    await started.set({ timeZone: 'America/Chicago' })
    await started.plantVehicles(vehicles)
    return started
  }

  get db() {
    return this.rig.db
  }

  /** The sandbox provider as if it told of vehicles where they were and what their odometers showed, and no more. */
  get adapter(): ProviderAdapter {
    const adapter = this.rig.tools.registry.find('sandbox')
    if (!adapter) throw new Error('there is no sandbox')
    const { Vehicle, VehicleLocation, VehicleStatLog } = adapter.readers
    return { ...adapter, readers: { Vehicle, VehicleLocation, VehicleStatLog } as ProviderAdapter['readers'] }
  }

  get tools(): SyncTools {
    return { ...this.rig.tools, registry: registry([this.adapter]) }
  }

  async set(columns: Readonly<Record<string, string | number | null>>): Promise<void> {
    for (const [column, value] of Object.entries(columns))
      await this.db.transaction((tx) =>
        tx.run(`UPDATE \`connections\` SET \`${column}\` = ? WHERE \`id\` = ?`, [
          value,
          this.rig.connectionId,
        ]),
      )
  }

  async plant(vehicleSourceId: string, fixes: Iterable<Fix>): Promise<void> {
    const connection = await this.connection()
    const track = [...fixes]
    const points = track.map(({ locatedAt, longitude, latitude }) => ({
      raw: {},
      draft: {
        vehicleSourceId,
        driverSourceId: null,
        locatedAt,
        location: { longitude, latitude },
        address: null,
        headingDegrees: null,
        speedKph: null,
      },
    }))
    const readings = track
      .filter(({ odometerKilometers }) => odometerKilometers != null)
      .map(({ locatedAt, odometerKilometers }) => ({
        raw: {},
        draft: {
          vehicleSourceId,
          type: 'odometer' as const,
          timestamp: locatedAt,
          sourceId: null,
          value: odometerKilometers ?? null,
          state: null,
        },
      }))
    await stamped(this.tools, connection, async (tx, stamp) => {
      await storeSeries(tx, storedSeries.VehicleLocation, connection, 'point', points, stamp)
      await storeSeries(tx, storedSeries.VehicleStatLog, connection, 'reading', readings, stamp)
    })
  }

  /** Computes as the end of a new sync would, or goes on with a sync that was stopped. */
  async compute({
    signal = new AbortController().signal,
    syncId = '',
    startFrom = null as number | null,
    keptFrom = 0,
  } = {}) {
    const id = syncId || (await this.rig.request()).id
    if (startFrom !== null)
      await this.db.transaction((tx) =>
        tx.run('UPDATE `syncs` SET `startFrom` = ? WHERE `id` = ?', [startFrom, id]),
      )
    const sync = await one(this.db, Sync, id)
    const lease = await takeLease(this.tools, id, async () => undefined)
    if (!sync || !lease) throw new Error('the sync is taken')
    const run = {
      ...this.tools,
      connection: await this.connection(),
      sync,
      signedInWith: '',
      providerName: 'Sandbox',
      lease,
      turn: { mayGoOn: async () => undefined },
      signal,
      isConsented: false,
      unread: new Set<never>(),
      announced: () => undefined,
      keptFrom,
      refused: () => undefined,
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
    const id = derivedId('iftaReport', this.rig.connectionId, sourceId)
    const [row] = await this.db.rows<{ data: string | RawMonth; schemaName: string }>(
      'SELECT `data`, `schemaName` FROM `raw_records` WHERE `ownerId` = ?',
      [id],
    )
    if (!row) throw new Error(`nothing is stored of ${sourceId}`)
    const data = typeof row.data === 'string' ? (JSON.parse(row.data) as RawMonth) : row.data
    return { ...data, schemaName: row.schemaName }
  }

  async place() {
    return (await checkpointsOf(this.db, this.rig.connectionId)).get('IFTASummary')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.rig[Symbol.asyncDispose]()
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
    const connection = await one(this.db, Connection, this.rig.connectionId)
    if (!connection) throw new Error('there is no connection')
    return connection
  }

  private async plantVehicles(sourceIds: readonly string[]): Promise<void> {
    const connection = await this.connection()
    await stamped(this.tools, connection, async (tx, stamp) => {
      const reads = sourceIds.map((sourceId) => ({ raw: {}, draft: vehicleDraft(sourceId) }))
      const unit = { connection, syncId: 'sync_0' as const, stamp }
      await upsert(tx, storedModels.Vehicle, unit, 'vehicle', reads, { marks: false })
    })
  }
}

const vehicleDraft = (sourceId: string) => ({
  sourceId,
  status: 'active' as const,
  vin: null,
  name: sourceId,
  make: null,
  model: null,
  year: null,
  groupSourceIds: [],
  licensePlate: null,
  fuelType: null,
  fuelTankCapacityLiters: null,
  createdAt: null,
  updatedAt: null,
})
