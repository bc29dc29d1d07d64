import { expect, test } from 'vitest'
import { liveSearch } from '../../../dashboard/src/live/live-search.ts'
import {
  byName,
  countByState,
  liveVehicle,
  passes,
  type Vehicle,
} from '../../../dashboard/src/live/live-vehicle.ts'

const vehicle = (values: Partial<Vehicle>): Vehicle => ({
  id: 'vcl_1',
  sourceId: 'veh-1',
  name: 'Box 1003',
  vin: '3ALRX33N1K7000002',
  make: null,
  model: null,
  year: null,
  status: 'ACTIVE',
  licensePlate: { number: 'P962M82' },
  connection: { id: 'conn_1' },
  groups: [{ id: 'group_1' }],
  ...values,
})
const live = (values: Partial<Vehicle> = {}) => liveVehicle(vehicle(values), null, 0)

test.each(['box 10', ' 3alrx33 ', 'p962', 'VCL_1', 'veh-1'])('the search finds %j', (search) => {
  expect(passes(live(), { search })).toBe(true)
})

test.each([
  { search: 'truck' },
  { connection: 'conn_2' },
  { group: 'group_2' },
  { status: 'INACTIVE' },
  { state: 'driving' },
  { search: 'box', group: 'group_2' },
] as const)('a vehicle does not pass %j', (filter) => {
  expect(passes(live(), filter)).toBe(false)
})

test('a vehicle passes all filters together', () => {
  const filter = {
    search: 'box',
    connection: 'conn_1',
    group: 'group_1',
    status: 'ACTIVE',
    state: 'unknown',
  } as const
  expect(passes(live(), filter)).toBe(true)
})

test('vehicles are listed by name, with numbers in their order', () => {
  const names = ['Truck 10', 'box 9', 'Truck 9', null]
  const sorted = names.map((name) => live({ name })).sort(byName)
  expect(sorted.map(({ vehicle: { name } }) => name)).toEqual([null, 'box 9', 'Truck 9', 'Truck 10'])
})

test('vehicles are counted by state', () => {
  expect([...countByState([live(), live()])]).toEqual([['unknown', 2]])
})

test.each([
  [
    { q: 'box', state: 'driving', vehicle: 'vcl_1' },
    { q: 'box', state: 'driving', vehicle: 'vcl_1' },
  ],
  [{ status: 'INACTIVE' }, { status: 'INACTIVE' }],
  [{ q: 1003 }, { q: '1003' }],
  [{ q: '', status: 'SOLD', state: 'flying', group: null, connection: {} }, {}],
])('the address %j is read as %j', (parameters, search) => {
  expect(liveSearch(parameters)).toEqual(search)
})
