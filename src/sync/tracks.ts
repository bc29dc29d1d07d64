import { derivedId } from '../ids.ts'
import type { LatestLocationDraft, LocationDraft } from '../providers/drafts.ts'
import type { Transaction } from '../storage/database.ts'
import { placeholders } from '../storage/in-order.ts'
import { tableOf } from '../storage/table.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import { type EngineState, LatestVehicleLocation, VehicleLocation } from '../subgraphs/telemetry/location.ts'
import type { Instant } from '../time.ts'
import { referring } from './stored-models.ts'

const track = tableOf(VehicleLocation)
const latest = tableOf(LatestVehicleLocation)

/** Stores points of tracks; a point that is there already is written over. */
export function storeTrack(
  tx: Transaction,
  connection: Connection,
  drafts: readonly LocationDraft[],
  stamp: Instant,
): Promise<void> {
  return tx.upsert(
    track,
    drafts.map((draft) => pointRow(connection, draft, stamp)),
  )
}

/** Stores where vehicles are, and the points as part of their tracks; what is no news is left alone. */
export async function storeLatest(
  tx: Transaction,
  connection: Connection,
  drafts: readonly LatestLocationDraft[],
  stamp: Instant,
): Promise<number> {
  const rows = drafts.map((draft) => latestRow(connection, draft, stamp))
  const known = await newestPoints(
    tx,
    rows.map((row) => row.vehicleId),
  )
  const news = rows.filter((row) => row.locatedAt > (known.get(row.vehicleId) ?? -1))
  await tx.upsert(latest, news)
  await tx.upsert(track, news)
  return news.length
}

async function newestPoints(tx: Transaction, vehicleIds: readonly string[]): Promise<Map<string, Instant>> {
  if (vehicleIds.length === 0) return new Map()
  const rows = await tx.rows<{ vehicleId: string; locatedAt: number }>(
    `SELECT \`vehicleId\`, \`locatedAt\` FROM \`${latest.name}\` WHERE \`vehicleId\` IN (${placeholders(vehicleIds.length)})`,
    vehicleIds,
  )
  return new Map(rows.map((row) => [row.vehicleId, Number(row.locatedAt)]))
}

function pointRow(connection: Connection, draft: LocationDraft, stamp: Instant): VehicleLocation {
  const refer = referring(connection.id)
  return {
    vehicleId: derivedId('vehicle', connection.id, draft.vehicleSourceId),
    locatedAt: draft.locatedAt,
    applicationId: connection.applicationId,
    connectionId: connection.id,
    provider: connection.provider,
    driverId: refer('driver', draft.driverSourceId),
    longitude: draft.location.longitude,
    latitude: draft.location.latitude,
    addressText: draft.address,
    heading: draft.headingDegrees,
    speed: draft.speedKph,
    modifiedAt: stamp,
  }
}

function latestRow(
  connection: Connection,
  draft: LatestLocationDraft,
  stamp: Instant,
): LatestVehicleLocation {
  return {
    ...pointRow(connection, draft, stamp),
    odometer: draft.odometerKilometers,
    fuelPrimaryPercentage: draft.fuelPrimaryPercentage,
    fuelSecondaryPercentage: draft.fuelSecondaryPercentage,
    engineState: draft.engineState as EngineState | null,
    engineRuntime: draft.engineRuntimeMilliseconds,
  }
}
