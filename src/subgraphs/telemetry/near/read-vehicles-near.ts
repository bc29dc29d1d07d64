import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalidArgument, PublicError } from '../../../domain/errors.ts'
import { rounded } from '../../../domain/units.ts'
import type { Clock, Instant } from '../../../domain/time.ts'
import { parentBy } from '../../../storage/loaders/loaders.ts'
import type { CursorKey } from '../../../storage/pagination/cursor.ts'
import { type PageRequest, type ReadDatabase, readPages } from '../../../storage/pagination/pagination.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import {
  and,
  atLeast,
  atMost,
  oneOf,
  type Tenant,
  tenantWhere,
  type Where,
} from '../../../storage/sql/where.ts'
import { idListFilter } from '../../schema/id-arguments.ts'
import type { VisibleReads } from '../../tables/visible-reads.ts'
import { LatestVehicleLocation } from '../location.ts'
import { StoredPosition } from '../vehicle-track.ts'
import type { NearbyVehicleRow, NearbyVehicles, VehiclesNearArgs } from './nearby-vehicle.ts'
import { type Fix, type NearPlace, presenceOf, REACH_METERS } from './presence.ts'

const HOUR_MS = 3_600_000
const MAX_HOURS = 24
/** Bounds the positions that the statements of one question read: at one every 15 seconds, 2.4 million. */
const MAX_VEHICLE_HOURS = 10_000
const MAX_RADIUS_METERS = 5000
const MAX_VEHICLES = 1000
/** Bounds the positions in memory: at a position every 15 seconds, 60,000. */
const VEHICLE_HOURS_PER_BATCH = 250
/** A vehicle with more positions than this is looked at in a turn of its own, so that other requests go on. */
const FIXES_PER_TURN = 500
/** A vehicle that reports nothing for longer than this is not assumed at its last position. */
const LONGEST_STAY_MS = 3 * 24 * HOUR_MS

const positions = tableOf(StoredPosition)
const latestLocations = tableOf(LatestVehicleLocation)

interface NearReads {
  readonly db: ReadDatabase
  readonly cursorKey: CursorKey
  readonly clock: Clock
  readonly tenant: Tenant
  readonly visible: VisibleReads
}

interface VehicleKey {
  readonly vehicleId: string
  readonly connectionId: string
}

/**
 * Returns the vehicles that were near a place in a period, nearest first. The series are clustered by vehicle and time,
 * so the cost depends on the vehicles and the period, not on the length of the history.
 */
export async function readVehiclesNear(reads: NearReads, args: VehiclesNearArgs): Promise<NearbyVehicles> {
  checkArguments(args)
  const question: NearPlace = {
    place: args.location,
    radiusMeters: args.radius,
    startAt: args.startAt,
    endAt: Math.min(args.endAt, reads.clock.now()),
  }
  const vehicles = await readVehicles(reads, args)
  const found: NearbyVehicleRow[] = []
  const batchSize = Math.max(1, Math.floor(VEHICLE_HOURS_PER_BATCH / hoursOf(args)))
  for (let start = 0; start < vehicles.length; start += batchSize) {
    const batch = vehicles.slice(start, start + batchSize)
    const fixes = await readFixes(
      reads,
      batch.map(({ vehicleId }) => vehicleId),
      question,
    )
    for (const vehicle of batch) {
      const ofVehicle = fixes.get(vehicle.vehicleId) ?? []
      if (ofVehicle.length > FIXES_PER_TURN) await nextTurn()
      const presence = presenceOf(ofVehicle, question)
      if (presence)
        found.push({ ...vehicle, ...presence, distanceMeters: rounded(presence.distanceMeters, 1) })
    }
  }
  found.sort((one, other) => one.distanceMeters - other.distanceMeters)
  return { nodes: found.slice(0, args.first), vehicleCount: found.length }
}

function checkArguments({ location, radius, startAt, endAt, first }: VehiclesNearArgs): void {
  const { longitude, latitude } = location
  if (Math.abs(latitude) > 90)
    throw invalidArgument('location.latitude', '`latitude` must be from -90 to 90.')
  if (Math.abs(longitude) > 180)
    throw invalidArgument('location.longitude', '`longitude` must be from -180 to 180.')
  if (!(radius >= 1 && radius <= MAX_RADIUS_METERS))
    throw invalidArgument('radius', `\`radius\` must be from 1 to ${MAX_RADIUS_METERS} meters.`)
  if (endAt < startAt) throw invalidArgument('endAt', '`endAt` must not be before `startAt`.')
  if (endAt - startAt > MAX_HOURS * HOUR_MS)
    throw invalidArgument('endAt', `\`endAt\` must be at most ${MAX_HOURS} hours after \`startAt\`.`)
  if (!(first >= 0 && first <= MAX_VEHICLES))
    throw invalidArgument('first', `\`first\` must be a whole number from 0 to ${MAX_VEHICLES}.`)
}

const hoursOf = ({ startAt, endAt }: Pick<VehiclesNearArgs, 'startAt' | 'endAt'>): number =>
  Math.max(1, Math.ceil((endAt - startAt) / HOUR_MS))

/** Reads the ids of the visible vehicles. Throws if they are too many for the period. */
async function readVehicles(
  { db, tenant, visible }: NearReads,
  { vehicleIds, startAt, endAt }: VehiclesNearArgs,
): Promise<readonly VehicleKey[]> {
  const hours = hoursOf({ startAt, endAt })
  const most = Math.floor(MAX_VEHICLE_HOURS / hours)
  const vehicles = await visible.ownedBy('vehicleId')((condition) => {
    const where = and(tenantWhere(tenant), idListFilter('vehicle', vehicleIds), condition)
    return db.rows<VehicleKey>(
      `SELECT \`vehicleId\`, \`connectionId\`
        FROM (SELECT \`id\` AS \`vehicleId\`, \`applicationId\`, \`connectionId\` FROM \`vehicles\`) AS \`found\`
        WHERE ${where.sql} ORDER BY \`vehicleId\` LIMIT ${most + 1}`,
      where.parameters,
    )
  })
  if (vehicles.length <= most) return vehicles
  throw invalidArgument(
    'endAt',
    `There are more than ${most} vehicles, too many for ${hours} hours. Choose a shorter period, or give \`connectionIds\` or \`vehicleIds\`.`,
  )
}

type FixRow = Pick<StoredPosition, 'vehicleId' | 'locatedAt' | 'longitude' | 'latitude'>

/** Reads the positions from which `presenceOf` decides, by vehicle, ordered by time. */
async function readFixes(
  reads: NearReads,
  ids: readonly string[],
  question: NearPlace,
): Promise<ReadonlyMap<string, readonly Fix[]>> {
  const rows = await Promise.all([
    readLatest(reads, ids, question),
    readEdges(reads, ids, question),
    readAround(reads, ids, question),
  ])
  const byVehicle = new Map<string, Map<number, Fix>>(ids.map((id) => [id, new Map()]))
  for (const { vehicleId, locatedAt, longitude, latitude } of rows.flat())
    byVehicle.get(vehicleId)?.set(Number(locatedAt), { at: Number(locatedAt), longitude, latitude })
  return new Map(
    [...byVehicle].map(([id, fixes]) => [id, [...fixes.values()].sort((one, other) => one.at - other.at)]),
  )
}

/** Reads the last position before the period, the first and the last one in it, and the next one. */
async function readEdges(
  { db, cursorKey, tenant }: NearReads,
  ids: readonly string[],
  { startAt, endAt }: NearPlace,
): Promise<readonly FixRow[]> {
  const [earliest, latest] = [startAt - LONGEST_STAY_MS, endAt + LONGEST_STAY_MS]
  const vehicles = ids.map((id) => parentBy('vehicleId', id).where)
  const read = (from: Instant, to: Instant, request: PageRequest) => {
    const where = and(tenantWhere(tenant), atLeast('locatedAt', from), atMost('locatedAt', to))
    return readPages(db, { table: positions, where, order: ['locatedAt'] }, request, cursorKey, vehicles)
  }
  const pages = await Promise.all([
    read(earliest, startAt - 1, { last: 1 }),
    read(startAt, endAt, { first: 1 }),
    read(startAt, endAt, { last: 1 }),
    read(endAt + 1, latest, { first: 1 }),
  ])
  return pages.flat().flatMap((page) => {
    if (page instanceof PublicError) throw page
    return page.rows
  })
}

function readAround(
  { db, tenant }: NearReads,
  ids: readonly string[],
  question: NearPlace,
): Promise<readonly FixRow[]> {
  const { startAt, endAt } = question
  const where = and(
    tenantWhere(tenant),
    oneOf('vehicleId', ids),
    atLeast('locatedAt', startAt),
    atMost('locatedAt', endAt),
    boxAround(question),
  )
  return selectFixes(db, positions.name, where)
}

/** Reads the latest locations. One from long after the period says nothing about it. */
function readLatest(
  { db, tenant }: NearReads,
  ids: readonly string[],
  { startAt, endAt }: NearPlace,
): Promise<readonly FixRow[]> {
  const where = and(
    tenantWhere(tenant),
    oneOf('vehicleId', ids),
    atLeast('locatedAt', startAt - LONGEST_STAY_MS),
    atMost('locatedAt', endAt + LONGEST_STAY_MS),
  )
  return selectFixes(db, latestLocations.name, where)
}

const selectFixes = (db: ReadDatabase, table: string, { sql, parameters }: Where): Promise<FixRow[]> =>
  db.rows<FixRow>(
    `SELECT \`vehicleId\`, \`locatedAt\`, \`longitude\`, \`latitude\` FROM \`${table}\` WHERE ${sql}`,
    parameters,
  )

const METERS_PER_DEGREE = 111_195

/** Condition for the positions that can lie within the circle, or on a straight line that crosses it. */
function boxAround({ place: { longitude, latitude }, radiusMeters }: NearPlace): Where {
  const north = (radiusMeters + REACH_METERS) / METERS_PER_DEGREE
  const east = north / Math.max(Math.cos(((Math.abs(latitude) + north) * Math.PI) / 180), 1e-9)
  const latitudes: Where = {
    sql: '`latitude` BETWEEN ? AND ?',
    parameters: [latitude - north, latitude + north],
  }
  if (east >= 180) return latitudes
  const [west, to] = [longitude - east, longitude + east]
  if (west >= -180 && to <= 180)
    return and(latitudes, { sql: '`longitude` BETWEEN ? AND ?', parameters: [west, to] })
  const [low, high] = west < -180 ? [to, west + 360] : [to - 360, west]
  return and(latitudes, { sql: '(`longitude` <= ? OR `longitude` >= ?)', parameters: [low, high] })
}
