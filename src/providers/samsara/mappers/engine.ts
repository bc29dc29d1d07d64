import type { z } from 'zod'
import { metersToKilometers, millilitersToLiters, secondsToMilliseconds } from '../../../domain/units.ts'
import type { NormalizedFaultCodeEvent } from '../../../domain/models/fault-code-event.ts'
import type { NormalizedIftaMonth } from '../../../domain/models/ifta-summary.ts'
import type { NormalizedStatLog, StatType } from '../../../domain/models/vehicle-stat-log.ts'
import type { NormalizedUtilizationDay } from '../../../domain/models/vehicle-utilization.ts'
import { toStateCode } from '../../mapping/state-codes.ts'
import type * as records from '../schemas/engine.ts'
import { keyOf, toKilometers } from './conversions.ts'
import { engineStatesOf } from './travel.ts'
import { createEnumMapping } from '../../mapping/enum-mapping.ts'

interface Measure {
  readonly type: StatType
  valueOf(value: number): number | null
}

const unchanged = (value: number) => value

const measures = createEnumMapping<Measure>('samsara', 'VehicleStatLog.type', {
  fuelPercents: { type: 'fuel_level', valueOf: unchanged },
  obdEngineSeconds: { type: 'engine_runtime', valueOf: secondsToMilliseconds },
  obdOdometerMeters: { type: 'odometer', valueOf: toKilometers },
  gpsOdometerMeters: { type: 'odometer', valueOf: toKilometers },
})

const states = engineStatesOf('VehicleStatLog.state')

export const measuredTypes: readonly StatType[] = ['engine_state', 'odometer', 'fuel_level', 'engine_runtime']

export function toStatLog({ vehicle, type, reading }: z.infer<typeof records.stat>): NormalizedStatLog {
  const shared = { vehicleSourceId: vehicle.id, timestamp: reading.time, sourceId: null }
  if (type === 'engineStates') {
    return { ...shared, type: 'engine_state', value: null, state: states.orThrow(String(reading.value)) }
  }
  const measure = measures.orThrow(type)
  const value = typeof reading.value === 'number' ? measure.valueOf(reading.value) : null
  if (value === null) throw new Error(`${type} is not a number`)
  return { ...shared, type: measure.type, value, state: null }
}

type Fault = z.infer<typeof records.fault>

/** Usual name of a fault code: P0087 for OBD-II, SPN100-FMI1 for J1939. */
export const nameOf = (fault: Pick<Fault, 'protocol' | 'code'>): string =>
  'spnId' in fault.code
    ? `SPN${fault.code.spnId}${fault.code.fmiId == null ? '' : `-FMI${fault.code.fmiId}`}`
    : String(fault.code.dtcShortCode)

export function toFaultCodeEvent(fault: Fault): NormalizedFaultCodeEvent {
  const { vehicle, openedAt, status, lamp, controller } = fault
  const name = nameOf(fault)
  const shared = {
    sourceId: keyOf(`${vehicle.id}:${name}${controller === undefined ? '' : `@${controller}`}`, openedAt),
    vehicleSourceId: vehicle.id,
    status: status === 'gone' ? ('closed' as const) : status,
    code: name,
    observedAt: openedAt,
    milStatus: lamp === null ? null : lamp ? ('on' as const) : ('off' as const),
    ...(status === 'gone' ? { deletedAt: openedAt } : {}),
  }
  if (fault.protocol === 'obdii')
    return { ...shared, protocol: 'obdii', description: fault.code.dtcDescription }
  const { spnId, spnDescription, fmiId, fmiDescription, occurrenceCount, txId } = fault.code
  return {
    ...shared,
    protocol: 'j1939',
    description: spnDescription,
    spn: spnId,
    spnDescription,
    fmi: fmiId,
    fmiDescription,
    occurrenceCount,
    sourceAddress: txId,
  }
}

export function toUtilizationDay({
  date,
  report,
}: z.infer<typeof records.utilization>): NormalizedUtilizationDay {
  const { engineRunTimeDurationMs: runningMs, engineIdleTimeDurationMs: idlingMs, fuelConsumedMl } = report
  return {
    sourceId: `${report.vehicle.id}:${date}`,
    vehicleSourceId: report.vehicle.id,
    date,
    distanceKilometers: toKilometers(report.distanceTraveledMeters),
    fuelConsumedLiters: fuelConsumedMl === null ? null : millilitersToLiters(fuelConsumedMl),
    drivingMilliseconds: drivingTime(runningMs, idlingMs),
    idlingMilliseconds: idlingMs,
  }
}

/** NaN if a time is negative: the sync stores null instead, and reports an issue. */
function drivingTime(runningMs: number | null, idlingMs: number | null): number | null {
  if (runningMs === null || idlingMs === null) return null
  return runningMs < 0 || idlingMs < 0 ? NaN : Math.max(0, runningMs - idlingMs)
}

export const toIftaMonth = ({
  month,
  vehicle,
  jurisdiction,
}: z.infer<typeof records.ifta>): NormalizedIftaMonth => ({
  sourceId: `${vehicle.id}:${month}:${jurisdiction.jurisdiction ?? ''}`,
  vehicleSourceId: vehicle.id,
  month,
  jurisdiction: toStateCode(jurisdiction.jurisdiction),
  distanceKilometers: metersToKilometers(jurisdiction.totalMeters),
})
