import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { startMetrics } from '../../../src/platform/metrics/metrics.ts'
import { logUnknownEnumValues } from '../../../src/providers/mapping/unknown-enum-values.ts'
import { unmappedValues, createEnumMapping } from '../../../src/providers/mapping/enum-mapping.ts'
import { unknownEnumValues } from '../../../src/platform/instrumentation.ts'
import { readersOf } from '../../support/providers/adapters.ts'

type Json = Record<string, unknown>

const TIME = '2025-06-02T13:30:00.250Z'
const LIVED = { createdAt: TIME, updatedAt: TIME, removedAt: null }
const BUILT = { name: null, vin: null, make: null, model: null, year: null, groupIds: [], licensePlate: null }
const MOVING = { vehicleId: 'v', driverId: null, time: TIME, lat: 1, lng: 2, address: null, heading: 1 }
const NO_SECONDS = { cycle: 1, shift: 1, drive: 1, break: 1 }

/** Records of the sandbox, which has no golden pairs. */
const sandboxRecords: Readonly<Record<string, Json>> = {
  Vehicle: {
    id: 'v',
    ...LIVED,
    ...BUILT,
    status: 'active',
    fuelType: 'diesel',
    fuelTankGallons: null,
    fuelEconomyMpg: null,
  },
  Trailer: { id: 't', ...LIVED, ...BUILT, status: 'active', serialNumber: null },
  Device: {
    id: 'd',
    ...LIVED,
    type: 'camera',
    vehicleId: null,
    serialNumber: null,
    description: null,
    lastConnectedAt: null,
  },
  HOSLog: {
    id: 'l',
    driverId: 'd',
    vehicleId: 'v',
    codriverIds: [],
    status: 'driving',
    startedAt: TIME,
    endedAt: null,
    location: null,
    remarks: [],
  },
  HOSAvailableTime: { driverId: 'd', status: 'driving', remainingSeconds: NO_SECONDS },
  VehicleStatLog: { vehicleId: 'v', time: TIME, type: 'engineState', value: null, state: 'on' },
  FaultCodeEvent: {
    id: 'f',
    vehicleId: 'v',
    status: 'active',
    lamp: 'on',
    observedAt: TIME,
    protocol: 'OBD-II',
    code: 'P0087',
    text: null,
  },
  LatestVehicleLocation: {
    ...MOVING,
    speedMph: 1,
    odometerMiles: 1,
    fuelPercent: 1,
    engineState: 'idle',
    engineSeconds: 1,
  },
}

function recordOf(provider: string, model: string): Json {
  if (provider === 'sandbox') return structuredClone(sandboxRecords[model] ?? {})
  const file = join(import.meta.dirname, '../../support/providers/golden', provider, `${model}.json`)
  const [pair] = JSON.parse(readFileSync(file, 'utf8')) as { raw: Json }[]
  return pair?.raw ?? {}
}

/** Returns the record with another value at a path such as `log.hosStatusType`. */
function withValueAt(record: Json, path: string, word: string): Json {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const holder = names.reduce<Json>((at, name) => at[name] as Json, record)
  holder[last] = word
  return record
}

type Row = readonly [provider: string, model: string, path: string, field: string, expected: unknown]

const LEFT_OUT = 'left out'

const rows: readonly Row[] = [
  ['sandbox', 'Vehicle', 'fuelType', 'Vehicle.fuelType', null],
  ['sandbox', 'Vehicle', 'status', 'Vehicle.status', 'active'],
  ['sandbox', 'Trailer', 'status', 'Trailer.status', 'active'],
  ['sandbox', 'Device', 'type', 'Device.type', 'tracker'],
  ['sandbox', 'HOSLog', 'status', 'HOSLog.status', LEFT_OUT],
  ['sandbox', 'HOSAvailableTime', 'status', 'HOSAvailableTime.currentStatus', null],
  ['sandbox', 'VehicleStatLog', 'type', 'VehicleStatLog.type', LEFT_OUT],
  ['sandbox', 'VehicleStatLog', 'state', 'VehicleStatLog.state', LEFT_OUT],
  ['sandbox', 'FaultCodeEvent', 'status', 'FaultCodeEvent.status', LEFT_OUT],
  ['sandbox', 'FaultCodeEvent', 'lamp', 'FaultCodeEvent.milStatus', null],
  ['sandbox', 'LatestVehicleLocation', 'engineState', 'LatestVehicleLocation.engineState', null],
  ['samsara', 'Driver', 'driverActivationStatus', 'Driver.status', 'active'],
  ['samsara', 'HOSLog', 'log.hosStatusType', 'HOSLog.status', LEFT_OUT],
  ['samsara', 'HOSAvailableTime', 'currentDutyStatus.hosStatusType', 'HOSAvailableTime.currentStatus', null],
  ['samsara', 'SafetyEvent', 'behaviorLabels.0.label', 'SafetyEvent.type', LEFT_OUT],
  ['samsara', 'LatestVehicleLocation', 'first.engineState.value', 'LatestVehicleLocation.engineState', null],
  ['geotab', 'HOSLog', 'dutyStatusLog.status', 'HOSLog.status', LEFT_OUT],
  ['geotab', 'FaultCodeEvent', 'faultData.faultStates.effectiveStatus', 'FaultCodeEvent.status', 'closed'],
  ['geotab', 'FaultCodeEvent', 'diagnostic.diagnosticType', 'FaultCodeEvent.protocol', LEFT_OUT],
  ['geotab', 'SafetyEvent', 'exceptionEvent.rule.id', 'SafetyEvent.type', LEFT_OUT],
  ['traccar', 'Vehicle', 'attributes.fuelType', 'Vehicle.fuelType', null],
  ['motive', 'Driver', 'user.status', 'Driver.status', 'active'],
  ['motive', 'Vehicle', 'vehicle.status', 'Vehicle.status', 'active'],
  ['motive', 'Vehicle', 'vehicle.fuel_type', 'Vehicle.fuelType', null],
  ['motive', 'HOSLog', 'event.type', 'HOSLog.status', LEFT_OUT],
  ['motive', 'HOSAvailableTime', 'duty_status', 'HOSAvailableTime.currentStatus', null],
  ['motive', 'FaultCodeEvent', 'status', 'FaultCodeEvent.status', 'closed'],
  ['motive', 'FaultCodeEvent', 'network', 'FaultCodeEvent.protocol', 'j1939'],
  [
    'motive',
    'LatestVehicleLocation',
    'vehicle.current_location.type',
    'LatestVehicleLocation.engineState',
    null,
  ],
  ['motive', 'SafetyEvent', 'driver_performance_event.type', 'SafetyEvent.type', LEFT_OUT],
]

const cleanups: (() => unknown)[] = []
afterEach(() => cleanups.splice(0).forEach((end) => end()))

function collectUnknownValues(): string[] {
  const unknown: string[] = []
  cleanups.push(
    unknownEnumValues.on(({ provider, field, value }) => unknown.push(`${provider} ${field} ${value}`)),
  )
  return unknown
}

function normalizedOf(provider: string, model: string, record: unknown): Json | typeof LEFT_OUT {
  try {
    return readersOf(provider)[model]!.normalize(record) as Json
  } catch (error) {
    expect(error).toMatchObject({ message: expect.not.stringContaining('newfangled') })
    return LEFT_OUT
  }
}

describe('an unknown enum value of a provider', () => {
  test.each(rows)('%s %s %s', (provider, model, path, field, expected) => {
    const unknown = collectUnknownValues()
    const known = normalizedOf(provider, model, recordOf(provider, model))
    expect([known === LEFT_OUT, unknown]).toEqual([false, []])
    const normalized = normalizedOf(
      provider,
      model,
      withValueAt(recordOf(provider, model), path, 'newfangled'),
    )
    expect(unknown).toEqual([`${provider} ${field} newfangled`])
    const name = field.split('.')[1] ?? ''
    expect(normalized === LEFT_OUT ? normalized : normalized[name]).toBe(expected)
  })

  test('is counted by provider and field, and appears in no label', async () => {
    const metrics = startMetrics()
    cleanups.push(() => metrics.close())
    for (const value of ['newfangled', 'newfangled', 'other'])
      normalizedOf(
        'traccar',
        'Vehicle',
        withValueAt(recordOf('traccar', 'Vehicle'), 'attributes.fuelType', value),
      )
    const text = await metrics.text()
    expect(text).toContain(
      'odograph_provider_unknown_values_total{provider="traccar",field="Vehicle.fuelType"} 3\n',
    )
    expect(text).not.toContain('newfangled')
  })

  test('is logged once, up to a limit of distinct values', async () => {
    const lines: { provider: string; field: string; value: string }[] = []
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as never) })
    const logging = logUnknownEnumValues(log)
    const formats = createEnumMapping('acme', 'Vehicle.color', {
      red: 'red',
      ...unmappedValues('clear matt'),
    })
    for (let time = 0; time < 3; time++) formats.orNull('x'.repeat(200))
    expect(lines).toMatchObject([{ provider: 'acme', field: 'Vehicle.color', value: 'x'.repeat(80) }])
    for (let number = 0; number < 2000; number++) formats.orNull(`color ${number}`)
    expect(lines).toHaveLength(500)
    await logging.close()
  })
})

test('a value that is declared unmapped is not counted, and neither is an empty one', () => {
  const unknown = collectUnknownValues()
  const formats = createEnumMapping<string>('acme', 'Vehicle.color', {
    red: 'crimson',
    ...unmappedValues('clear matt'),
  })
  expect(['red', 'clear', '', null, undefined].map(formats.orNull)).toEqual([
    'crimson',
    null,
    null,
    null,
    null,
  ])
  expect(formats.orDefault('matt', 'grey')).toBe('grey')
  expect(() => formats.orThrow('matt')).toThrow('Vehicle.color: no known value')
  expect(unknown).toEqual([])
  expect(formats.orNull('toString')).toBeNull()
  expect(unknown).toEqual(['acme Vehicle.color toString'])
})
