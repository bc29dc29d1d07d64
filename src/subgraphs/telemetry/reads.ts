import type { Doorbell } from '../../queue/doorbell.ts'
import { pagesByParent, rowByColumn } from '../../storage/loaders.ts'
import { type List, readPage, seriesLimits } from '../../storage/page.ts'
import { tableOf } from '../../storage/table.ts'
import { and, atLeast, atMost, mine, oneOf, type Tenant, type Where } from '../../storage/where.ts'
import type { ReadsFrom } from '../reads.ts'
import { tail } from '../tail.ts'
import type { LatestArgs, TrackArgs } from './filters.ts'
import { LatestVehicleLocation, VehicleLocation } from './location.ts'
import { locationsTopic } from './topics.ts'

const latest = tableOf(LatestVehicleLocation)
const track = tableOf(VehicleLocation)

export interface TelemetryReadsFrom extends ReadsFrom {
  readonly doorbell: Pick<Doorbell, 'listen'>
}

/** Transactions of different connections may commit this much out of the order of their stamps. */
const OVERLAP_MS = 5000

/** The only door to the telemetry tables for the fields of this subgraph, bound to one caller. */
export function telemetryReads({ db, cursorKey, doorbell }: TelemetryReadsFrom, tenant: Tenant) {
  const byVehicle = pagesByParent<VehicleLocation>(db, cursorKey, 'vehicleId')
  return {
    latestOfVehicle: rowByColumn(db, latest, tenant, 'vehicleId'),
    latest: (args: LatestArgs) => readPage(db, latestList(args), args, cursorKey),
    trackOfVehicle: (vehicleId: string, args: TrackArgs) => {
      const { first, after, last, before } = args
      return byVehicle(vehicleId, trackList(args), { first, after, last, before })
    },
    /** The locations that are stored from now on, each vehicle's newest. */
    changes(vehicleIds: readonly string[] | null): AsyncIterableIterator<LatestVehicleLocation> {
      const where = and(mine(tenant), oneOf('vehicleId', vehicleIds))
      const told = new Map<string, number>()
      let since: number | null = null
      return tail(
        (ear) => doorbell.listen(locationsTopic(tenant.applicationId), ear),
        async () => {
          if (since === null) {
            since = await newest(where)
            for (const row of await storedAfter(where, since)) told.set(row.vehicleId, row.modifiedAt)
            return []
          }
          const rows = await storedAfter(where, since)
          const fresh = rows.filter((row) => told.get(row.vehicleId) !== row.modifiedAt)
          for (const row of fresh) told.set(row.vehicleId, row.modifiedAt)
          since = Math.max(since, ...fresh.map((row) => row.modifiedAt))
          return fresh
        },
      )
    },
  }

  async function newest(where: Where): Promise<number> {
    const sql = `SELECT MAX(\`modifiedAt\`) AS newest FROM \`${latest.name}\` WHERE ${where.sql}`
    const [row] = await db.rows<{ newest: number | null }>(sql, where.parameters)
    return Number(row?.newest ?? 0)
  }

  async function storedAfter(within: Where, since: number): Promise<LatestVehicleLocation[]> {
    const where = and(within, atLeast('modifiedAt', since - OVERLAP_MS))
    const sql = `SELECT ${latest.selected} FROM \`${latest.name}\` WHERE ${where.sql} ORDER BY \`modifiedAt\``
    return (await db.rows<Record<string, unknown>>(sql, where.parameters)).map((row) => latest.toRow(row))
  }

  function latestList({ vehicleIds, driverIds }: LatestArgs): List<LatestVehicleLocation> {
    const where = and(mine(tenant), oneOf('vehicleId', vehicleIds), oneOf('driverId', driverIds))
    return { table: latest, where, order: ['vehicleId'] }
  }

  function trackList({ startAt, endAt }: TrackArgs): List<VehicleLocation> {
    const where = and(mine(tenant), atLeast('locatedAt', startAt), atMost('locatedAt', endAt))
    return { table: track, where, order: ['locatedAt'], limits: seriesLimits }
  }
}

export type TelemetryReads = ReturnType<typeof telemetryReads>

export interface TelemetryContext {
  readonly telemetry: TelemetryReads
}
