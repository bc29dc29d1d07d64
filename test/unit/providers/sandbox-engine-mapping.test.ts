import { describe, expect, test } from 'vitest'
import { ProviderError } from '../../../src/providers/provider-error.ts'
import { statTypes } from '../../../src/domain/models/vehicle-stat-log.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'

/** The records and the expected results are written by hand; neither comes from the simulator. */
const { readers, manifest } = sandboxAdapter('http://127.0.0.1:1')

const TIME = '2025-06-02T13:30:00.250Z'
const at = Date.UTC(2025, 5, 2, 13, 30, 0, 250)

describe('measurements', () => {
  const stat = (type: string, value: number | null, state: string | null = null) =>
    readers.VehicleStatLog?.normalize({ vehicleId: 'v', time: TIME, type, value, state })

  test.each([
    ['odometerMiles', 'odometer', 1000, 1609.344],
    ['totalFuelGallons', 'total_fuel_consumption', 100, 378.541],
    ['fuelPercent', 'fuel_level', 41.5, 41.5],
    ['engineSeconds', 'engine_runtime', 1.5, 1500],
    ['engineRpm', 'engine_rpm', 1250, 1250],
    ['oilPercent', 'engine_oil_percentage', 88.8, 88.8],
    ['oilPressurePsi', 'engine_oil_pressure', 44.4, 44.4],
    ['oilTemperatureF', 'engine_oil_temperature', 212, 100],
    ['coolantTemperatureF', 'engine_coolant_temperature', -40, -40],
    ['coolantPercent', 'coolant_percentage', 97, 97],
    ['batteryVolts', 'battery_voltage', 13.82, 13.82],
  ])('%s maps to %s', (theirs, ours, value, converted) => {
    expect(stat(theirs, value)).toEqual({
      vehicleSourceId: 'v',
      type: ours,
      timestamp: at,
      sourceId: null,
      value: converted,
      state: null,
    })
  })

  test('an engine state has a state and no value', () => {
    expect(stat('engineState', null, 'idle')).toMatchObject({
      type: 'engine_state',
      value: null,
      state: 'idle',
    })
  })

  test('an unknown type and a missing value are refused', () => {
    expect(() => stat('tirePressure', 100)).toThrow('VehicleStatLog.type: no known value')
    expect(() => stat('toString', 100)).toThrow('VehicleStatLog.type: no known value')
    expect(() => stat('engineRpm', null)).toThrow('engineRpm has no value')
    expect(() => stat('engineState', 3)).toThrow('engineState has no value')
  })
})

describe('faults', () => {
  const fault = { id: 'f', vehicleId: 'v', status: 'active', lamp: 'on', observedAt: TIME }
  const expected = { sourceId: 'f', vehicleSourceId: 'v', status: 'open', observedAt: at, milStatus: 'on' }

  test('a J1939 fault has an SPN and an FMI', () => {
    const heavy = {
      ...fault,
      protocol: 'J1939',
      spn: 100,
      spnName: 'Engine Oil Pressure',
      fmi: 1,
      fmiName: 'Below normal',
      occurrences: 3,
      sourceAddress: 0,
    }
    expect(readers.FaultCodeEvent?.normalize(heavy)).toEqual({
      ...expected,
      protocol: 'j1939',
      code: 'SPN100-FMI1',
      description: 'Engine Oil Pressure: Below normal',
      spn: 100,
      spnDescription: 'Engine Oil Pressure',
      fmi: 1,
      fmiDescription: 'Below normal',
      occurrenceCount: 3,
      sourceAddress: 0,
    })
    expect(() => readers.FaultCodeEvent?.normalize({ ...heavy, fmi: 32 })).toThrow(ProviderError)
    expect(() => readers.FaultCodeEvent?.normalize({ ...heavy, protocol: 'J1708' })).toThrow(ProviderError)
  })

  test('an OBD-II fault has a code', () => {
    const light = { ...fault, protocol: 'OBD-II', status: 'cleared', lamp: null, code: 'P0087', text: null }
    expect(readers.FaultCodeEvent?.normalize(light)).toEqual({
      ...expected,
      status: 'closed',
      milStatus: null,
      protocol: 'obdii',
      code: 'P0087',
      description: null,
    })
  })
})

test('the manifest supports every model with all types', () => {
  expect(new Set(Object.values(manifest.supportedModels).map(({ read }) => read))).toEqual(
    new Set(['supported']),
  )
  expect(Object.keys(manifest.supportedModels)).toHaveLength(18)
  expect(manifest.supportedModels.SafetyEvent.types).toHaveLength(19)
  expect(manifest.supportedModels.VehicleStatLog.types).toEqual(statTypes)
  expect(manifest.supportedModels.VehicleLocation).toMatchObject({
    sampleRate: expect.any(String) as string,
    availableHistory: expect.any(String) as string,
  })
})
