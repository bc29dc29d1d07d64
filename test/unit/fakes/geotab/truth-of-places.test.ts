import { describe, expect, test } from 'vitest'
import { callGeotab, type RecordFields } from '../../../fakes/geotab/caller.ts'
import { compare } from '../../../fakes/geotab/compare.ts'
import { at, idIn, Reader } from '../../../fakes/geotab/reader.ts'
import { type Entity } from '../../../fakes/geotab/formats.ts'

describe('a simple reader reconstructs the truth', () => {
  test('of stat readings', () => {
    const caller = callGeotab({ vehicles: 25, days: 4 })
    const statsByDiagnostic: Record<string, (data: number) => object> = {
      DiagnosticOdometerId: (data) => ({ type: 'odometer', value: data / 1000, state: null }),
      DiagnosticEngineHoursId: (data) => ({ type: 'engine_runtime', value: data * 1000, state: null }),
      DiagnosticIgnitionId: (data) => ({
        type: 'engine_state',
        value: null,
        state: data === 1 ? 'on' : 'off',
      }),
      DiagnosticFuelLevelId: (data) => ({ type: 'fuel_level', value: data, state: null }),
    }
    const read = new Reader(caller).readFeed('StatusData').map((reading) => ({
      vehicleSourceId: idIn(reading['device']),
      timestamp: at(reading['dateTime']),
      ...statsByDiagnostic[idIn(reading['diagnostic']) as string]?.(Number(reading['data'])),
    }))
    const keyOf = (fact: RecordFields) =>
      `${String(fact['vehicleSourceId'])} ${String(fact['timestamp'])} ${String(fact['type'])}`
    compare(read, caller.truth('VehicleStatLog'), keyOf)
  })

  test('of past and latest locations', () => {
    const caller = callGeotab({ vehicles: 25, days: 4 })
    const keyOf = (fact: RecordFields) => `${String(fact['vehicleSourceId'])} ${String(fact['locatedAt'])}`
    const placed = (entity: Entity) => ({
      vehicleSourceId: idIn(entity['device']),
      locatedAt: at(entity['dateTime']),
      location: { longitude: entity['longitude'], latitude: entity['latitude'] },
      speedKph: entity['speed'] === 'NaN' ? null : entity['speed'],
    })
    compare(new Reader(caller).readFeed('LogRecord').map(placed), caller.truth('VehicleLocation'), keyOf)
    const odometers = ['DiagnosticOdometerAdjustmentId', 'DiagnosticOdometerId']
    const diagnostics = [...odometers, 'DiagnosticFuelLevelId'].map((id) => ({ id }))
    const read = caller.get('DeviceStatusInfo', { search: { diagnostics } }).map((info) => {
      const readings = info['statusData'] as Entity[]
      const value = (id: string) =>
        readings.find(({ diagnostic }) => idIn(diagnostic) === id)?.['data'] as number | undefined
      return {
        ...placed(info),
        driverSourceId: idIn(info['driver']),
        headingDegrees: info['bearing'],
        engineState: info['isDriving'] === true ? 'on' : 'off',
        odometerKilometers: (odometers.map(value).find((one) => one !== undefined) as number) / 1000,
        fuelPrimaryPercentage: value('DiagnosticFuelLevelId') ?? null,
      }
    })
    compare(read, caller.truth('LatestVehicleLocation'), keyOf)
    expect(read.filter(({ speedKph }) => speedKph === null).length).toBeGreaterThan(0)
    const adjusted = caller
      .get('DeviceStatusInfo', { search: { diagnostics } })
      .filter((info) => JSON.stringify(info).includes('OdometerAdjustmentId'))
    expect(adjusted.length).toBeGreaterThan(0)
  })
})
