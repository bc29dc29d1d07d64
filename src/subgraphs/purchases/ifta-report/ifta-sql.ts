import { byIndex, type Dialect } from '../../../storage/sql/dialect.ts'
import { jsonText } from '../../../storage/sql/json.ts'
import { and, atLeast, before, equal, oneOf, type Where } from '../../../storage/sql/where.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import type { SummaryPeriod } from '../summary/purchase-summary-args.ts'
import { CHECKS, checksFrom, litersSql } from '../summary/summary-sql.ts'
import { fuelTypesOf, type IftaFuel } from './ifta-fuel.ts'
import type { QuarterSpan } from './quarter.ts'

const MONTHS = 'ifta_vehicle_months'
const NOT_DELETED: Where = { sql: '`deletedAt` IS NULL', parameters: [] }

/** The fuel type that applies to a vehicle, as `effectiveFacts` finds it. */
const VEHICLE_FUEL =
  'CASE WHEN f.fuelType IS NOT NULL AND (f.overrules = 1 OR v.fuelType IS NULL) THEN f.fuelType ELSE v.fuelType END'

/** Joins the vehicle `v` of the rows `r` and the own facts `f` about it. */
const JOINED_VEHICLE = `LEFT JOIN vehicles AS v ON v.id = r.vehicleId AND v.applicationId = r.applicationId
  ${joinedFacts('r')}`

function joinedFacts(table: 'r' | 'v'): string {
  return `LEFT JOIN vehicle_facts AS f ON f.vehicleId = ${table}.vehicleId AND f.applicationId = ${table}.applicationId`
}

/** Distance of vehicles with one fuel type in a jurisdiction, or of vehicles with an unknown fuel type anywhere. */
export interface DistanceRow {
  readonly vehicleFuel: string | null
  readonly jurisdiction: string
  readonly distance: number | string
  readonly vehicles: number | string
}

/** Returns the statement that sums the distances of months. The condition selects the rows of vehicles. */
export function distancesSql(ofVehicles: Where, months: readonly string[]): Where {
  const { sql, parameters } = and(ofVehicles, NOT_DELETED, oneOf('month', months))
  return {
    sql: `SELECT vehicleFuel, CASE WHEN vehicleFuel IS NULL THEN '' ELSE jurisdiction END AS jurisdiction,
        SUM(distance) AS distance, COUNT(DISTINCT vehicleId) AS vehicles
      FROM (SELECT ${VEHICLE_FUEL} AS vehicleFuel, r.jurisdiction, r.distance, r.vehicleId
        FROM (SELECT * FROM \`${MONTHS}\` WHERE ${sql}) AS r ${JOINED_VEHICLE}) AS fueled
      GROUP BY 1, 2`,
    parameters,
  }
}

/** Sum of captures of one product at one merchant, for vehicles with one fuel type. */
export interface FuelRow {
  readonly vehicleFuel: string | null
  readonly product: string | null
  readonly country: string | null
  readonly state: string | null
  readonly siteId: string | null
  readonly name: string | null
  readonly postalCode: string | null
  readonly longitude: number | string | null
  readonly latitude: number | string | null
  readonly liters: number | string | null
  /** Captures with liters. */
  readonly captures: number | string
  /** Captures without liters, unless another capture of the purchase has them. */
  readonly unmeasured: number | string
}

/** Time zones of connections with the spans of a quarter in them. */
export type SpansByZone = ReadonlyMap<string | null, QuarterSpan>

/** Returns the condition for captures. `ofVehicles` selects the checks of vehicles. */
export const capturesWhere = (ofVehicles: Where): Where =>
  and(ofVehicles, equal('phase', PurchasePhase.CAPTURE))

interface FuelQuery extends SummaryPeriod {
  readonly where: Where
  /** Index by which the captures are read; undefined if another one has fewer rows. */
  readonly index: readonly string[] | undefined
  readonly spans: SpansByZone
}

/** Returns the statement that sums captures within the quarter of their fleet. */
export function fuelSql(
  dialect: Dialect,
  { where, index, purchasedAfter, purchasedBefore, spans }: FuelQuery,
): Where {
  const captures = and(where, atLeast('purchasedAt', purchasedAfter), before('purchasedAt', purchasedBefore))
  const startsAt = boundSql(spans, 'startsAt')
  const endsAt = boundSql(spans, 'endsAt')
  const columns = Object.entries(merchantPaths).map(
    ([name, path]) => `${jsonText(dialect, 'merchant', path)} AS \`${name}\``,
  )
  const liters = litersSql(dialect)
  return {
    sql: `SELECT vehicleFuel, product, ${Object.keys(merchantPaths).join(', ')},
        SUM(liters) AS liters, COUNT(liters) AS captures, COALESCE(SUM(isUnmeasured), 0) AS unmeasured
      FROM (SELECT ${VEHICLE_FUEL} AS vehicleFuel, r.*
        FROM (SELECT applicationId, connectionId, vehicleId, purchasedAt,
            ${jsonText(dialect, 'fuel', '$.product')} AS product, ${columns.join(', ')}, ${liters} AS liters,
            CASE WHEN ${liters} IS NULL AND NOT EXISTS (${measuredCapture(dialect)}) THEN 1 ELSE 0 END AS isUnmeasured
          FROM ${checksFrom(dialect, index)} WHERE ${captures.sql}) AS r
        JOIN connections AS n ON n.id = r.connectionId AND n.applicationId = r.applicationId
        ${JOINED_VEHICLE}
        WHERE r.purchasedAt >= ${startsAt.sql} AND r.purchasedAt < ${endsAt.sql}) AS fueled
      GROUP BY vehicleFuel, product, ${Object.keys(merchantPaths).join(', ')}`,
    parameters: [...captures.parameters, ...startsAt.parameters, ...endsAt.parameters],
  }
}

const merchantPaths = {
  country: '$.address.country',
  state: '$.address.state',
  siteId: '$.siteId',
  name: '$.name',
  postalCode: '$.address.postalCode',
  longitude: '$.coordinates.longitude',
  latitude: '$.coordinates.latitude',
} as const

/** Selects a capture with liters of the same authorization as a check. Its columns have no table. */
const measuredCapture = (dialect: Dialect): string => `SELECT 1 FROM \`${CHECKS}\` AS other${byIndex(
  dialect,
  CHECKS,
  ['applicationId', 'authorizationCheckId'],
)}
  WHERE other.\`applicationId\` = \`${CHECKS}\`.\`applicationId\`
    AND other.\`authorizationCheckId\` = \`${CHECKS}\`.\`authorizationCheckId\`
    AND \`phase\` = '${PurchasePhase.CAPTURE}' AND ${litersSql(dialect)} IS NOT NULL`

/** Returns the expression for a bound of the quarter in the time zone of the connection `n`. */
function boundSql(spans: SpansByZone, bound: keyof QuarterSpan): Where {
  const zones = [...spans].filter(([zone]) => zone !== null)
  const inUtc = spans.get(null)![bound]
  if (zones.length === 0) return { sql: '?', parameters: [inUtc] }
  return {
    sql: `CASE n.timeZone ${zones.map(() => 'WHEN ? THEN ?').join(' ')} ELSE ? END`,
    parameters: [...zones.flatMap(([zone, span]) => [zone, span[bound]]), inUtc],
  }
}

/** What vehicles that use the fuel lack. */
export interface VehicleGapsRow {
  readonly missingMonths: number | string
  /** Vehicles with a distance that have no capture of the fuel with liters. */
  readonly unfueledVehicles: number | string
  readonly unfueledDistance: number | string
}

interface VehicleGaps {
  /** Selects the rows of vehicles, by `vehicleId`. */
  readonly ofVehicles: Where
  readonly fuel: IftaFuel
  readonly months: readonly string[]
  /** Months that are over. */
  readonly pastMonths: readonly string[]
  readonly spans: SpansByZone
}

/**
 * Returns the statement that finds what vehicles lack: past months without a distance, if they have another month or a
 * capture, and fuel for their distance. A vehicle that the provider has removed need not have all months.
 */
export function vehicleGapsSql(
  dialect: Dialect,
  { ofVehicles, fuel, months, pastMonths, spans }: VehicleGaps,
): Where {
  const fueled = oneOf('vehicleFuel', fuelTypesOf(fuel))!
  const within = oneOf('month', months)!
  const past = oneOf('month', pastMonths)!
  const startsAt = boundSql(spans, 'startsAt')
  const endsAt = boundSql(spans, 'endsAt')
  const captures = `SELECT 1 FROM \`${CHECKS}\` AS c${byIndex(dialect, CHECKS, ['vehicleId', 'purchasedAt', 'id'])}
    WHERE c.\`vehicleId\` = summed.vehicleId AND c.\`applicationId\` = summed.applicationId
      AND c.\`phase\` = '${PurchasePhase.CAPTURE}'
      AND c.\`purchasedAt\` >= summed.startsAt AND c.\`purchasedAt\` < summed.endsAt`
  const isOfFuel = `${jsonText(dialect, 'fuel', '$.product')} = '${fuel}' AND ${litersSql(dialect)} IS NOT NULL`
  return {
    sql: `SELECT COALESCE(SUM(missingMonths), 0) AS missingMonths, COUNT(unfueledDistance) AS unfueledVehicles,
        COALESCE(SUM(unfueledDistance), 0) AS unfueledDistance
      FROM (SELECT
          CASE WHEN deletedAt IS NULL AND months < ${pastMonths.length} AND (distance IS NOT NULL OR EXISTS (${captures}))
            THEN ${pastMonths.length} - months END AS missingMonths,
          CASE WHEN distance > 0 AND NOT EXISTS (${captures} AND ${isOfFuel}) THEN distance END AS unfueledDistance
        FROM (SELECT vehicleId, applicationId, deletedAt, startsAt, endsAt, SUM(distance) AS distance,
            COUNT(DISTINCT CASE WHEN ${past.sql} THEN month END) AS months
          FROM (SELECT v.vehicleId, v.applicationId, v.deletedAt, m.month, m.distance, ${VEHICLE_FUEL} AS vehicleFuel,
              ${startsAt.sql} AS startsAt, ${endsAt.sql} AS endsAt
            FROM (SELECT * FROM (SELECT id AS vehicleId, applicationId, connectionId, fuelType, deletedAt FROM vehicles)
              AS every WHERE ${ofVehicles.sql}) AS v
            JOIN connections AS n ON n.id = v.connectionId AND n.applicationId = v.applicationId
            ${joinedFacts('v')}
            LEFT JOIN \`${MONTHS}\` AS m ON m.applicationId = v.applicationId AND m.vehicleId = v.vehicleId
              AND m.deletedAt IS NULL AND m.${within.sql}) AS fueled
          WHERE ${fueled.sql} GROUP BY vehicleId, applicationId, deletedAt, startsAt, endsAt) AS summed) AS lacking`,
    parameters: [
      ...past.parameters,
      ...startsAt.parameters,
      ...endsAt.parameters,
      ...ofVehicles.parameters,
      ...within.parameters,
      ...fueled.parameters,
    ],
  }
}
