import { invalidArgument } from '../../../domain/errors.ts'
import { rounded } from '../../../domain/units.ts'
import type { Clock } from '../../../domain/time.ts'
import type { ReadDatabase } from '../../../storage/pagination/pagination.ts'
import { tupleIn } from '../../../storage/sql/dialect.ts'
import { and, oneOf, type Tenant, tenantWhere, type Where } from '../../../storage/sql/where.ts'
import { idListFilter } from '../../schema/id-arguments.ts'
import type { VisibleReads } from '../../tables/visible-reads.ts'
import type { NearbyVehicleRow, NearbyVehicles, VehiclesNearArgs } from './nearby-vehicle.ts'
import { type Fix, type NearPlace, presenceOf, REACH_METERS } from './presence.ts'

const HOUR_MS = 3_600_000
const MAX_HOURS = 24
/** Bounds the points that one question reads: at a position every 15 seconds, 2.4 million. */
const MAX_VEHICLE_HOURS = 10_000
const MAX_RADIUS_METERS = 5000
const MAX_VEHICLES = 1000
const VEHICLES_PER_STATEMENT = 250
/** A vehicle that reports nothing for longer than this is not assumed at its last position. */
const LONGEST_STAY_MS = 3 * 24 * HOUR_MS

interface NearReads {
  readonly db: ReadDatabase
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
  for (let start = 0; start < vehicles.length; start += VEHICLES_PER_STATEMENT) {
    const batch = vehicles.slice(start, start + VEHICLES_PER_STATEMENT)
    const fixes = await readFixes(
      reads,
      batch.map(({ vehicleId }) => vehicleId),
      question,
    )
    for (const vehicle of batch) {
      const presence = presenceOf(fixes.get(vehicle.vehicleId) ?? [], question)
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

/** Reads the ids of the visible vehicles. Throws if they are too many for the period. */
async function readVehicles(
  { db, tenant, visible }: NearReads,
  { vehicleIds, startAt, endAt }: VehiclesNearArgs,
): Promise<readonly VehicleKey[]> {
  const hours = Math.max(1, Math.ceil((endAt - startAt) / HOUR_MS))
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

interface FixRow extends Omit<Fix, 'at'> {
  readonly vehicleId: string
  readonly locatedAt: number
}

/** Times of the positions of a vehicle at the ends of a period, and its latest location. */
interface Edges extends Partial<FixRow> {
  readonly id: string
  readonly previousAt: number | null
  readonly firstAt: number | null
  readonly lastAt: number | null
  readonly nextAt: number | null
}

/** Reads the positions from which `presenceOf` decides, by vehicle, ordered by time. */
async function readFixes(
  reads: NearReads,
  ids: readonly string[],
  question: NearPlace,
): Promise<ReadonlyMap<string, readonly Fix[]>> {
  const edges = await readEdges(reads, ids, question)
  const reporting = edges.flatMap(({ id, firstAt }) =>
    firstAt !== null && Number(firstAt) <= question.endAt ? [id] : [],
  )
  const rows = await Promise.all([readAtEdges(reads, edges), readAround(reads, reporting, question)])
  const byVehicle = new Map<string, Map<number, Fix>>(ids.map((id) => [id, new Map()]))
  const latest = edges.flatMap((edge) =>
    edge.locatedAt == null ? [] : [{ ...edge, vehicleId: edge.id } as FixRow],
  )
  for (const { vehicleId, locatedAt, longitude, latitude } of [...latest, ...rows.flat()])
    byVehicle.get(vehicleId)?.set(Number(locatedAt), { at: Number(locatedAt), longitude, latitude })
  return new Map(
    [...byVehicle].map(([id, fixes]) => [id, [...fixes.values()].sort((one, other) => one.at - other.at)]),
  )
}

function readEdges(
  { db, tenant }: NearReads,
  ids: readonly string[],
  { startAt, endAt }: NearPlace,
): Promise<readonly Edges[]> {
  const [earliest, latest] = [startAt - LONGEST_STAY_MS, endAt + LONGEST_STAY_MS]
  const timeAt = (condition: string, direction: 'ASC' | 'DESC') =>
    `(SELECT \`locatedAt\` FROM \`vehicle_locations\` AS \`l\` WHERE \`l\`.\`vehicleId\` = \`v\`.\`id\` AND ${condition}
      ORDER BY \`locatedAt\` ${direction} LIMIT 1)`
  const where = and(tenantWhere(tenant), oneOf('id', ids))
  return db.rows<Edges>(
    `SELECT \`v\`.\`id\`,
        ${timeAt('`locatedAt` >= ? AND `locatedAt` < ?', 'DESC')} AS \`previousAt\`,
        ${timeAt('`locatedAt` >= ? AND `locatedAt` <= ?', 'ASC')} AS \`firstAt\`,
        ${timeAt('`locatedAt` >= ? AND `locatedAt` <= ?', 'DESC')} AS \`lastAt\`,
        ${timeAt('`locatedAt` > ? AND `locatedAt` <= ?', 'ASC')} AS \`nextAt\`,
        \`latest\`.\`locatedAt\`, \`latest\`.\`longitude\`, \`latest\`.\`latitude\`
      FROM (SELECT \`id\` FROM \`vehicles\` WHERE ${where.sql}) AS \`v\`
      LEFT JOIN \`latest_vehicle_locations\` AS \`latest\`
        ON \`latest\`.\`vehicleId\` = \`v\`.\`id\` AND \`latest\`.\`locatedAt\` >= ?`,
    [earliest, startAt, startAt, latest, earliest, endAt, endAt, latest, ...where.parameters, earliest],
  )
}

function readAtEdges({ db, tenant }: NearReads, edges: readonly Edges[]): Promise<readonly FixRow[]> {
  const keys = edges.flatMap(({ id, previousAt, firstAt, lastAt, nextAt }) => {
    const times = [previousAt, firstAt, lastAt, nextAt].flatMap((at) => (at === null ? [] : [Number(at)]))
    return [...new Set(times)].map((at) => [id, at])
  })
  if (keys.length === 0) return Promise.resolve([])
  return selectFixes(db, and(tenantWhere(tenant), tupleIn(db.dialect, ['vehicleId', 'locatedAt'], keys)))
}

function readAround(
  { db, tenant }: NearReads,
  ids: readonly string[],
  question: NearPlace,
): Promise<readonly FixRow[]> {
  const { startAt, endAt } = question
  if (ids.length === 0) return Promise.resolve([])
  const during: Where = { sql: '`locatedAt` >= ? AND `locatedAt` <= ?', parameters: [startAt, endAt] }
  return selectFixes(db, and(tenantWhere(tenant), oneOf('vehicleId', ids), during, boxAround(question)))
}

const selectFixes = (db: ReadDatabase, { sql, parameters }: Where): Promise<readonly FixRow[]> =>
  db.rows<FixRow>(
    `SELECT \`vehicleId\`, \`locatedAt\`, \`longitude\`, \`latitude\` FROM \`vehicle_locations\` WHERE ${sql}`,
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
