import type { z } from 'zod'
import {
  fahrenheitToCelsius,
  milesToKilometers,
  rounded,
  secondsToMilliseconds,
  usGallonsToLiters,
} from '../../../domain/units.ts'
import type { NormalizedFaultCodeEvent, NormalizedStatLog, StatType } from '../../normalized-records.ts'
import type * as records from '../schemas/engine.ts'
import { createEnumMapping } from '../../mapping/enum-mapping.ts'

interface Measure {
  readonly type: StatType
  readonly toOurs: (value: number) => number
}

const to = (type: StatType, decimals: number, convert = (value: number) => value): Measure => ({
  type,
  toOurs: (value) => rounded(convert(value), decimals),
})

const measures = createEnumMapping<Measure>('sandbox', 'VehicleStatLog.type', {
  engineState: to('engine_state', 0),
  odometerMiles: to('odometer', 3, milesToKilometers),
  totalFuelGallons: to('total_fuel_consumption', 3, usGallonsToLiters),
  fuelPercent: to('fuel_level', 2),
  engineSeconds: to('engine_runtime', 0, secondsToMilliseconds),
  engineRpm: to('engine_rpm', 0),
  oilPercent: to('engine_oil_percentage', 2),
  oilPressurePsi: to('engine_oil_pressure', 2),
  oilTemperatureF: to('engine_oil_temperature', 2, fahrenheitToCelsius),
  coolantTemperatureF: to('engine_coolant_temperature', 2, fahrenheitToCelsius),
  coolantPercent: to('coolant_percentage', 2),
  batteryVolts: to('battery_voltage', 2),
})

export const engineStates = (field: `${string}.${string}`) =>
  createEnumMapping<'on' | 'off' | 'idle'>('sandbox', field, { on: 'on', off: 'off', idle: 'idle' })

const states = engineStates('VehicleStatLog.state')

/** Throws on a measure that the table does not know, and on one that tells nothing. */
export function toStatLog(record: z.infer<typeof records.stat>): NormalizedStatLog {
  const { type, toOurs } = measures.needed(record.type)
  const told = type === 'engine_state' ? states.maybe(record.state) : record.value
  if (told === null) throw new Error(`${record.type} without a value`)
  return {
    vehicleSourceId: record.vehicleId,
    type,
    timestamp: record.time,
    sourceId: null,
    value: typeof told === 'number' ? toOurs(told) : null,
    state: typeof told === 'string' ? told : null,
  }
}

const faultStatuses = createEnumMapping<'open' | 'pending' | 'closed'>('sandbox', 'FaultCodeEvent.status', {
  active: 'open',
  pending: 'pending',
  cleared: 'closed',
})

const lamps = createEnumMapping<'on' | 'off'>('sandbox', 'FaultCodeEvent.milStatus', { on: 'on', off: 'off' })

export function toFaultCodeEvent(record: z.infer<typeof records.faultCode>): NormalizedFaultCodeEvent {
  const told = {
    sourceId: record.id,
    vehicleSourceId: record.vehicleId,
    status: faultStatuses.needed(record.status),
    observedAt: record.observedAt,
    milStatus: lamps.maybe(record.lamp),
  }
  if (record.protocol === 'OBD-II')
    return { ...told, protocol: 'obdii', code: record.code, description: record.text }
  const { spn, spnName, fmi, fmiName } = record
  return {
    ...told,
    protocol: 'j1939',
    code: fmi === null ? `SPN${spn}` : `SPN${spn}-FMI${fmi}`,
    description: [spnName, fmiName].filter((words) => words !== null).join(': ') || null,
    spn,
    spnDescription: spnName,
    fmi,
    fmiDescription: fmiName,
    occurrenceCount: record.occurrences,
    sourceAddress: record.sourceAddress,
  }
}
