import { invalidArgument } from '../../../domain/errors.ts'
import type { Clock } from '../../../domain/time.ts'
import type { Dialect } from '../../../storage/sql/dialect.ts'
import {
  and,
  indexOf,
  type Tenant,
  tenantColumnOf,
  tenantWhere,
  type Where,
} from '../../../storage/sql/where.ts'
import { type ConnectionIds, narrowedTenant } from '../../schema/connection-ids.ts'
import { idListFilter } from '../../schema/id-arguments.ts'
import { memberOf } from '../../tables/group-members.ts'
import type { VisibleRequester } from '../../tables/visible-reads.ts'
import { partsOf, readInTurn, type SummedDatabase } from '../summary/parts-of-period.ts'
import type { IftaFuel } from './ifta-fuel.ts'
import type { IftaReport } from './ifta-report.ts'
import type { IftaReportArgs } from './ifta-report-args.ts'
import {
  capturesWhere,
  type DistanceRow,
  distancesSql,
  type FuelRow,
  fuelSql,
  type SpansByZone,
  type VehicleGapsRow,
  vehicleGapsSql,
} from './ifta-sql.ts'
import { jurisdictionsOf } from './purchase-jurisdiction.ts'
import { findQuarter, monthOf, type Quarter, type QuarterSpan, spanOf } from './quarter.ts'
import { ReportSums } from './report-sums.ts'
import { taxReturnOf } from './tax-return.ts'

interface ReportDeps {
  readonly db: SummedDatabase
  readonly clock: Clock
}

/** Reports the distances and the fuel that a caller may see. Throws if an argument is invalid. */
export async function reportIfta(
  { db, clock }: ReportDeps,
  { caller, visible }: VisibleRequester,
  args: IftaReportArgs,
  connectionIds: ConnectionIds,
): Promise<IftaReport> {
  const quarter = findQuarter(args.quarter)
  if (!quarter) throw invalidArgument('quarter', '`quarter` must be a quarter, such as 2026-Q3.')
  const scope = narrowedTenant(caller, connectionIds)
  const ofScope = and(
    tenantWhere(scope),
    idListFilter('vehicle', args.vehicleIds),
    ofGroups(db.dialect, scope, args.groupIds),
  )
  // Until the filters are known, a read runs twice.
  await visible.filters()
  return visible.ownedBy('vehicleId')(async (visibleVehicles) => {
    const spans = await readSpans(db, scope, quarter)
    const whole = unionOf([...spans.values()])
    const request = { scope, quarter, spans, whole, ofVehicles: and(ofScope, visibleVehicles) }
    const sums = new ReportSums(args.fuel)
    await addDistances(db, request, sums)
    await addFuel(db, { ...request, isOfVehicles: args.vehicleIds != null }, sums)
    await addVehicleGaps({ db, clock }, { ...request, fuel: args.fuel }, sums)
    return {
      quarter: quarter.name,
      fuel: args.fuel,
      isComplete: clock.now() >= whole.endsAt,
      metric: taxReturnOf(sums.jurisdictions, 'metric'),
      us: taxReturnOf(sums.jurisdictions, 'us'),
      gaps: sums.gaps,
    }
  })
}

interface ReportRequest {
  readonly scope: Tenant
  readonly quarter: Quarter
  readonly spans: SpansByZone
  /** Period that has the quarter in each time zone. */
  readonly whole: QuarterSpan
  /** Selects the rows of vehicles, by `vehicleId`. */
  readonly ofVehicles: Where
}

/** Returns the condition for rows of vehicles in these groups. */
function ofGroups(dialect: Dialect, tenant: Tenant, groupIds: IftaReportArgs['groupIds']): Where | null {
  const members = memberOf(dialect, groupIds)
  if (!members) return null
  const { sql, parameters } = and(tenantWhere(tenant), members)
  return { sql: `\`vehicleId\` IN (SELECT \`id\` FROM \`vehicles\` WHERE ${sql})`, parameters }
}

/** Reads the time zones of the fleets. */
async function readSpans(db: SummedDatabase, scope: Tenant, quarter: Quarter): Promise<SpansByZone> {
  const { sql, parameters } = tenantWhere(scope)
  const rows = await readInTurn<{ readonly timeZone: string | null }>(db, {
    sql: `SELECT DISTINCT \`timeZone\` FROM \`connections\` WHERE ${sql}`,
    parameters,
  })
  const zones = [null, ...rows.map(({ timeZone }) => timeZone)]
  return new Map(zones.map((zone) => [zone, spanOf(quarter, zone)]))
}

const unionOf = (spans: readonly QuarterSpan[]): QuarterSpan => ({
  startsAt: Math.min(...spans.map(({ startsAt }) => startsAt)),
  endsAt: Math.max(...spans.map(({ endsAt }) => endsAt)),
})

async function addDistances(db: SummedDatabase, request: ReportRequest, sums: ReportSums): Promise<void> {
  const statement = distancesSql(request.ofVehicles, request.quarter.months)
  for (const row of await readInTurn<DistanceRow>(db, statement)) sums.addDistance(row)
}

/** Adds the captures in parts of the quarter, so that the memory it needs does not depend on their number. */
async function addFuel(
  db: SummedDatabase,
  { scope, ofVehicles, spans, whole, isOfVehicles }: ReportRequest & { readonly isOfVehicles: boolean },
  sums: ReportSums,
): Promise<void> {
  const captures = capturesWhere(ofVehicles)
  // The index of the vehicle has fewer rows.
  const index = isOfVehicles ? undefined : indexOf(tenantColumnOf(scope), ['purchasedAt', 'id'])
  const period = { where: captures, index, purchasedAfter: whole.startsAt, purchasedBefore: whole.endsAt }
  for await (const part of partsOf(db, period)) {
    const rows = await readInTurn<FuelRow>(db, fuelSql(db.dialect, { ...period, ...part, spans }))
    const jurisdictionOf = await jurisdictionsOf(db, scope, rows)
    for (const row of rows) sums.addFuel(row, jurisdictionOf(row))
  }
}

/** Adds what vehicles lack. Months that are not over in UTC may still get distances. */
async function addVehicleGaps(
  { db, clock }: ReportDeps,
  { quarter: { months }, ofVehicles, spans, fuel }: ReportRequest & { readonly fuel: IftaFuel },
  sums: ReportSums,
): Promise<void> {
  const pastMonths = months.filter((month) => month < monthOf(clock.now()))
  const statement = vehicleGapsSql(db.dialect, { ofVehicles, fuel, months, pastMonths, spans })
  for (const row of await readInTurn<VehicleGapsRow>(db, statement)) sums.addVehicleGaps(row)
}
