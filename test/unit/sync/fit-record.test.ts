import { describe, expect, test } from 'vitest'
import { models } from '../../../src/domain/models/models.ts'
import { commonRanges } from '../../../src/domain/models/value-ranges.ts'
import { modelNamed, rawRetainedModels, type RawRetainedModel } from '../../../src/domain/record-models.ts'
import { statRanges } from '../../../src/domain/models/vehicle-stat-log.ts'
import { fitRecord, valueRanges } from '../../../src/sync/ingest/fit-record.ts'

/** Values that are invalid for every number field. */
const IMPOSSIBLE: readonly unknown[] = [NaN, Infinity, -1e300, 1e300, '2019', '', true, [], {}]

const fields = Object.entries(valueRanges)

describe('a number field', () => {
  test.each(fields)('%s keeps the values of its range', (name, { min, max }) => {
    for (const value of [min, max]) {
      const { normalized, invalidFields } = fitRecord('Group', { [name]: value })
      expect(invalidFields).toEqual([])
      expect(normalized).toEqual({ [name]: name === 'headingDegrees' && value === 360 ? 0 : value })
    }
  })

  test.each(fields)('%s is null for a value outside its range', (name, { min, max, isInteger }) => {
    const outside = [min - 1, 2 * max + 1, ...(isInteger ? [min + 0.5] : []), ...IMPOSSIBLE]
    for (const value of outside)
      expect(fitRecord('Group', { [name]: value, name: 'kept' })).toEqual({
        normalized: { [name]: null, name: 'kept' },
        invalidFields: [name],
      })
  })
})

test('the range of a number that several models have is a common one', () => {
  const names = [...Object.keys(commonRanges), ...models.flatMap(({ ranges }) => Object.keys(ranges))]
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test.each([
  ['odometerKilometers', 4_294_967.295],
  ['odometerKilometers', 2_147_483.647],
  ['engineRuntimeMilliseconds', 4_294_967_295_000],
  ['engineRuntimeMilliseconds', 2_147_483_647_000],
])('%s is null for a counter with all bits set: %d', (name, value) => {
  expect(fitRecord('LatestVehicleLocation', { locatedAt: 0, [name]: value })).toEqual({
    normalized: { locatedAt: 0, [name]: null },
    invalidFields: [name],
  })
})

test('a VIN is written in capitals', () => {
  expect(fitRecord('Vehicle', { vin: '1xkyd49x0bj123456' })).toEqual({
    normalized: { vin: '1XKYD49X0BJ123456' },
    invalidFields: [],
  })
})

describe('a record that ends before it starts', () => {
  const times = { startedAt: 2000, endedAt: 1000 }

  test.each(['Trip', 'HOSLog'] as const)('is refused if it is of %s', (model) => {
    const record = { ...times, durationMilliseconds: 0 }
    expect(() => fitRecord(model, record)).toThrow('the record ends before it starts')
    expect(fitRecord(model, { ...record, endedAt: 2000 }).invalidFields).toEqual([])
  })

  test('loses its end if it is of SafetyEvent', () => {
    expect(fitRecord('SafetyEvent', { ...times, sourceType: 'kept' })).toEqual({
      normalized: { startedAt: 2000, endedAt: null, sourceType: 'kept' },
      invalidFields: ['endedAt'],
    })
    expect(fitRecord('SafetyEvent', { ...times, endedAt: null }).invalidFields).toEqual([])
  })
})

describe('a record', () => {
  test('that fits is not copied', () => {
    const record = {
      sourceId: '1',
      year: 2019,
      license: { state: 'OH', number: null },
      groupSourceIds: ['1'],
    }

    expect(fitRecord('Vehicle', record).normalized).toBe(record)
  })

  test.each(
    rawRetainedModels.flatMap((model) =>
      Object.keys(modelNamed(model).required).map((field) => [model, field] as const),
    ),
  )('of %s is refused without %s', (model: RawRetainedModel, field) => {
    const value = field === 'location' ? { longitude: 200, latitude: 0 } : -1e300

    expect(() => fitRecord(model, { sourceId: '1', [field]: value })).toThrow(
      `${field} has no possible value`,
    )
  })

  test('loses a location with invalid coordinates', () => {
    const record = {
      startLocation: { longitude: 10, latitude: 91 },
      endLocation: { longitude: 10, latitude: 50 },
    }

    expect(fitRecord('SafetyEvent', record)).toEqual({
      normalized: { ...record, startLocation: null },
      invalidFields: ['startLocation'],
    })
  })

  test('loses NUL characters at any depth, and its fields stay valid', () => {
    const record = { name: 'Box\0 7', license: { state: 'OH', number: 'A\0B' }, codriverSourceIds: ['a\0'] }

    expect(fitRecord('Driver', record)).toEqual({
      normalized: { name: 'Box 7', license: { state: 'OH', number: 'AB' }, codriverSourceIds: ['a'] },
      invalidFields: [],
    })
  })

  test('keeps the extensions of other vendors unchanged', () => {
    const extensions = { vendor: { year: -1, longitude: 999, text: '\0' } }

    expect(fitRecord('SafetyEvent', { extensions }).normalized).toEqual({ extensions })
  })

  test.each([
    ['odometer', (2 ** 32 - 1) / 1000],
    ['odometer', (2 ** 31 - 1) / 1000],
    ['odometer', (2 ** 32 - 1) * 0.125],
    ['odometer', (2 ** 32 - 1) * 0.005],
    ['total_fuel_consumption', (2 ** 32 - 1) * 0.5],
    ['total_fuel_consumption', (2 ** 32 - 1) / 1000],
    ['fuel_level', 255 * 0.4],
    ['engine_runtime', (2 ** 32 - 1) * 1000],
    ['engine_runtime', (2 ** 31 - 1) * 1000],
    ['engine_runtime', (2 ** 32 - 1) * 0.05 * 3_600_000],
    ['engine_rpm', 65_535 * 0.125],
    ['engine_rpm', 65_535 / 4],
    ['engine_oil_pressure', 255 * 4 * 0.1450377],
    ['engine_oil_temperature', 65_535 * 0.03125 - 273],
    ['engine_coolant_temperature', 255 - 40],
    ['battery_voltage', 65_535 * 0.05],
    ['battery_voltage', 65_535 / 1000],
  ])('of the stat type %s is refused if it means "not available": %d', (type, value) => {
    expect(() => fitRecord('VehicleStatLog', { type, value })).toThrow(/no possible value/)
  })

  test.each([
    ['odometer', 0xfe000000 * 0.125],
    ['odometer', 0xfe000000 * 0.005],
    ['total_fuel_consumption', 0xfe000000 * 0.5],
    ['fuel_level', 0xfe * 0.4],
    ['engine_runtime', 0xfe000000 * 0.05 * 3_600_000],
    ['engine_oil_percentage', 0xfe * 0.4],
    ['engine_oil_pressure', 0xfe * 4 * 0.1450377],
    ['engine_oil_temperature', 0xfe00 * 0.03125 - 273],
    ['engine_coolant_temperature', 0xfe - 40],
    ['coolant_percentage', 0xfe * 0.4],
    ['battery_voltage', 0xfe00 * 0.05],
  ])('of the stat type %s is refused if it means "error" in SAE J1939: %d', (type, value) => {
    expect(() => fitRecord('VehicleStatLog', { type, value })).toThrow(/no possible value/)
  })

  test('of the stat type engine_rpm is kept if it means "error" in SAE J1939: a car can reach it', () => {
    expect(fitRecord('VehicleStatLog', { type: 'engine_rpm', value: 0xfe00 * 0.125 }).invalidFields).toEqual(
      [],
    )
  })

  test.each(Object.entries(statRanges))(
    'of the stat type %s is refused outside its range',
    (type, { min, max }) => {
      expect(fitRecord('VehicleStatLog', { type, value: max }).invalidFields).toEqual([])
      for (const value of [min - 1, max + (max > 1e15 ? 2 : 1)])
        if (value > max || value < min)
          expect(() => fitRecord('VehicleStatLog', { type, value })).toThrow(/no possible value/)
    },
  )
})
