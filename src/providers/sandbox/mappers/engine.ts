import type { z } from 'zod'
import {
  fahrenheitToCelsius,
  milesToKilometers,
  rounded,
  secondsToMilliseconds,
  usGallonsToLiters,
} from '../../../domain/units.ts'
import type { NormalizedFaultCodeEvent } from '../../../domain/models/fault-code-event.ts'
import type { NormalizedStatLog, StatType } from '../../../domain/models/vehicle-stat-log.ts'
import type * as records from '../schemas/engine.ts'
import { createEnumMapping } from '../../mapping/enum-mapping.ts'

/** Our type of a measurement, and the conversion of its values to our unit. */
interface Measure {
  readonly type: StatType
  readonly convert: (value: number) => number
}

const measure = (type: StatType, decimals: number, convert = (value: number) => value): Measure => ({
  type,
  convert: (value) => rounded(convert(value), decimals),
})

const measures = createEnumMapping<Measure>('sandbox', 'VehicleStatLog.type', {
  engineState: measure('engine_state', 0),
  odometerMiles: measure('odometer', 3, milesToKilometers),
  totalFuelGallons: measure('total_fuel_consumption', 3, usGallonsToLiters),
  fuelPercent: measure('fuel_level', 2),
  engineSeconds: measure('engine_runtime', 0, secondsToMilliseconds),
  engineRpm: measure('engine_rpm', 0),
  oilPercent: measure('engine_oil_percentage', 2),
  oilPressurePsi: measure('engine_oil_pressure', 2),
  oilTemperatureF: measure('engine_oil_temperature', 2, fahrenheitToCelsius),
  coolantTemperatureF: measure('engine_coolant_temperature', 2, fahrenheitToCelsius),
  coolantPercent: measure('coolant_percentage', 2),
  batteryVolts: measure('battery_voltage', 2),
})

export const engineStates = (field: `${string}.${string}`) =>
  createEnumMapping<'on' | 'off' | 'idle'>('sandbox', field, { on: 'on', off: 'off', idle: 'idle' })

const states = engineStates('VehicleStatLog.state')

/** Maps a measurement. Throws for an unknown type and for a missing value. */
export function toStatLog(record: z.infer<typeof records.stat>): NormalizedStatLog {
  const { type, convert } = measures.orThrow(record.type)
  const value = type === 'engine_state' ? states.orNull(record.state) : record.value
  if (value === null) throw new Error(`${record.type} has no value`)
  return {
    vehicleSourceId: record.vehicleId,
    type,
    timestamp: record.time,
    sourceId: null,
    value: typeof value === 'number' ? convert(value) : null,
    state: typeof value === 'string' ? value : null,
  }
}

const faultStatuses = createEnumMapping<'open' | 'pending' | 'closed'>('sandbox', 'FaultCodeEvent.status', {
  active: 'open',
  pending: 'pending',
  cleared: 'closed',
})

const lamps = createEnumMapping<'on' | 'off'>('sandbox', 'FaultCodeEvent.milStatus', { on: 'on', off: 'off' })

export function toFaultCodeEvent(record: z.infer<typeof records.faultCode>): NormalizedFaultCodeEvent {
  const common = {
    sourceId: record.id,
    vehicleSourceId: record.vehicleId,
    status: faultStatuses.orThrow(record.status),
    observedAt: record.observedAt,
    milStatus: lamps.orNull(record.lamp),
  }
  if (record.protocol === 'OBD-II')
    return { ...common, protocol: 'obdii', code: record.code, description: record.text }
  const { spn, spnName, fmi, fmiName } = record
  return {
    ...common,
    protocol: 'j1939',
    code: fmi === null ? `SPN${spn}` : `SPN${spn}-FMI${fmi}`,
    description: [spnName, fmiName].filter((name) => name !== null).join(': ') || null,
    spn,
    spnDescription: spnName,
    fmi,
    fmiDescription: fmiName,
    occurrenceCount: record.occurrences,
    sourceAddress: record.sourceAddress,
  }
}
