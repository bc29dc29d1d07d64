import { expect, test } from 'vitest'
import { listAll } from '../../../../src/providers/geotab/paged-readers.ts'
import { utilizationReader } from '../../../../src/providers/geotab/readers/utilization.ts'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import { parsePage } from '../../../../src/sync/ingest/parse-page.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'

const DAY = '2026-06-10'
const window = { from: Date.parse(`${DAY}T00:00:00Z`), to: Date.parse('2026-06-11T00:00:00Z') }
const trip = {
  device: { id: 'b1' },
  start: `${DAY}T10:00:00Z`,
  stop: `${DAY}T11:00:00Z`,
  distance: 50,
  averageSpeed: 50,
}

/** Returns the days in these trips, with the unreadable members and the number of unreadable records. */
async function daysIn(trips: readonly unknown[]) {
  const answer = (typeName: string) => (typeName === 'Trip' ? trips : [{ timeZoneId: 'UTC' }])
  const api = {
    post: async (_path: string, { params }: { params: { typeName: string } }) => answer(params.typeName),
  } as unknown as ProviderApi
  const { records } = await utilizationReader.read(api, null, window, emptyRoster)
  const invalidFields: (readonly string[])[] = []
  let unreadable = 0
  const mapping = { model: 'VehicleUtilization' as const, reader: utilizationReader, asOf: window.to }
  const parsed = parsePage(mapping, records, {
    onUnreadable: () => (unreadable += 1),
    onInvalidFields: (fields) => invalidFields.push(fields),
  })
  const distances = parsed.map(({ normalized }) => [
    normalized.vehicleSourceId,
    normalized.distanceKilometers,
  ])
  return { distances, unreadable, invalidFields }
}

test('a day is the sum of its trips', async () => {
  expect(await daysIn([trip, { ...trip, start: `${DAY}T12:00:00Z`, stop: `${DAY}T13:00:00Z` }])).toEqual({
    distances: [['b1', 100]],
    unreadable: 0,
    invalidFields: [],
  })
})

test('a trip with an unreadable time is left out of its day, and reported', async () => {
  expect(await daysIn([trip, { ...trip, start: 'morning' }])).toEqual({
    distances: [['b1', 50]],
    unreadable: 0,
    invalidFields: [['trips']],
  })
})

test.each<[string, unknown]>([
  ['whose only trip has no readable time', { ...trip, stop: null }],
  ['whose only trip has no readable vehicle', { ...trip, device: [] }],
  ['whose only trip is no object', null],
])('a day %s is reported', async (_, unreadable) => {
  expect(await daysIn([unreadable])).toEqual({ distances: [], unreadable: 1, invalidFields: [] })
})

test('a trip with an unreadable optional member counts', async () => {
  expect(await daysIn([{ ...trip, stopPoint: 'depot', nextTripStart: [] }])).toMatchObject({
    distances: [['b1', 50]],
    unreadable: 0,
    invalidFields: [['nextTripStart', 'stopPoint']],
  })
})

test.each([
  ['cuts its pages', true],
  ['ignores the offset', false],
])('a list is read to its end from a server that %s', async (_, hasOffset) => {
  const all = Array.from({ length: 250 }, (_item, index) => ({ id: `b${String(index).padStart(3, '0')}` }))
  const post = async (_path: string, { params }: { params: { sort: { offset: string | null } } }) =>
    all.filter(({ id }) => !hasOffset || id > (params.sort.offset ?? '')).slice(0, 100)
  const found = await listAll({ post } as unknown as ProviderApi, 'Device')
  expect(new Set(found).size).toBe(hasOffset ? 250 : 100)
})
