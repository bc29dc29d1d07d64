import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../src/domain/time.ts'
import type { Reader } from '../../../../src/providers/provider.ts'
import { devicesUpdatedSince } from '../../../../src/providers/traccar/readers.ts'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import { normalizeRecord } from '../../../../src/sync/ingest/normalize-record.ts'
import { adapters } from '../../../support/providers/adapters.ts'

const { readers } = adapters.traccar('http://127.0.0.1:1', systemClock)
const device = {
  id: 4,
  name: 'Van',
  uniqueId: '860123',
  disabled: true,
  lastUpdate: '2026-06-10T10:00:00Z',
  attributes: { vin: '1GBJ6P1B2HV112765' },
}

const read = (model: 'Vehicle' | 'Device', changes: object) =>
  normalizeRecord({ model, reader: readers[model] as Reader<object>, asOf: 0 }, { ...device, ...changes })

describe('a device', () => {
  test.each<[string, object, object, string[]]>([
    ['has no time of its last update if it is unreadable', { lastUpdate: 'now' }, {}, ['lastUpdate']],
    ['has no attributes if they are a list', { attributes: [] }, { vin: null }, ['attributes']],
    ['has no attributes if they are a text', { attributes: '{}' }, { vin: null }, ['attributes']],
    ['is inactive if it is disabled in a text', { disabled: 'true' }, { status: 'inactive' }, []],
    ['is active if it is not disabled in a text', { disabled: 'false' }, { status: 'active' }, []],
    ['has a VIN of digits', { attributes: { vin: 1234567 } }, { vin: '1234567' }, []],
    [
      'has no VIN with wrong digits',
      { attributes: { vin: Number('12345678901234567') } },
      { vin: null },
      ['vin'],
    ],
    [
      'has a number in a text',
      { attributes: { tankCapacity: '12.5' } },
      { fuelTankCapacityLiters: 12.5 },
      [],
    ],
  ])('%s', (_, changes, expected, invalidFields) => {
    const vehicle = read('Vehicle', changes)
    expect(vehicle.normalized).toMatchObject({ sourceId: '4', name: 'Van', ...expected })
    expect(vehicle.invalidFields).toEqual(invalidFields)
    expect(read('Device', changes)).toMatchObject({
      normalized: { sourceId: '4', lastConnectedAt: 'lastUpdate' in changes ? null : expect.any(Number) },
      invalidFields,
    })
  })

  test.each([Number('12345678901234567'), 'four', 0, null])('is refused with the id %s', (id) => {
    expect(() => read('Vehicle', { id })).toThrow('id')
  })

  test('with an unreadable time of its last update is asked for new data', async () => {
    const api = {
      get: async () => [
        { ...device, lastUpdate: [] },
        { ...device, id: 5 },
      ],
    }
    const since = Date.parse('2026-06-11T00:00:00Z')
    expect(await devicesUpdatedSince(api as unknown as ProviderApi, since)).toEqual([4])
  })
})
