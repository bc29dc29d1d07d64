import type { Instant } from '../time.ts'
import { defineModel } from './define-model.ts'
import { TIME_SERIES_LOOKBACK } from './lookback.ts'
import {
  between,
  engineRuntime,
  liters,
  odometer,
  percent,
  sentinels,
  type ValueRange,
} from './value-ranges.ts'

export const statTypes = [
  'engine_state',
  'odometer',
  'total_fuel_consumption',
  'fuel_level',
  'engine_runtime',
  'engine_rpm',
  'engine_oil_percentage',
  'engine_oil_pressure',
  'engine_oil_temperature',
  'engine_coolant_temperature',
  'coolant_percentage',
  'battery_voltage',
] as const

export type StatType = (typeof statTypes)[number]

/**
 * Measurement of a vehicle. Its type defines the unit of `value`: kilometers, liters, percent, milliseconds,
 * revolutions per minute, PSI, degrees Celsius or volts. An engine state has a `state` instead of a value.
 */
export interface NormalizedStatLog {
  readonly vehicleSourceId: string
  readonly type: StatType
  readonly timestamp: Instant
  readonly sourceId: string | null
  readonly value: number | null
  readonly state: 'on' | 'off' | 'idle' | null
}

export const vehicleStatLogModel = defineModel<NormalizedStatLog>()({
  name: 'VehicleStatLog',
  read: 'sync',
  id: { kind: 'vehicleStatLog', prefix: 'vcl_st' },
  types: ['VehicleStatLog'],
  scope: 'stats:read',
  sessionScope: 'READ_TELEMETRY',
  consentCategory: 'faults',
  owner: 'vehicle',
  lookback: TIME_SERIES_LOOKBACK,
  ranges: { value: between(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) },
  required: { timestamp: true },
})

/**
 * Range of the values of each type, in the unit of the type. An engine state has no value. The upper limits of pressure,
 * temperatures and voltage are those of SAE J1939-71: SPN 100, 175, 110 and 168.
 */
export const statRanges: Readonly<Record<Exclude<StatType, 'engine_state'>, ValueRange>> = {
  odometer,
  total_fuel_consumption: { ...liters, sentinels: sentinels.totalFuel },
  fuel_level: percent,
  engine_runtime: engineRuntime,
  engine_rpm: { ...between(0, 16_383.5), sentinels: sentinels.engineSpeed },
  engine_oil_percentage: percent,
  engine_oil_pressure: between(0, 145.1),
  engine_oil_temperature: between(-273.15, 1735),
  engine_coolant_temperature: between(-273.15, 210),
  coolant_percentage: percent,
  battery_voltage: { ...between(0, 3213), sentinels: sentinels.batteryVoltage },
}
