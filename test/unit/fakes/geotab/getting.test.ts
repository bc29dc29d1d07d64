import { describe, expect, test } from 'vitest'
import { callGeotab, refusalOf } from '../../../fakes/geotab/caller.ts'
import { at, idIn } from '../../../fakes/geotab/reader.ts'
import { DAY } from '../../../fakes/geotab/times.ts'

describe('Get', () => {
  test('pages by id to the end, and GetCountOf returns the same count', () => {
    const caller = callGeotab()
    const ids: unknown[] = []
    for (let offset: unknown = null, isMore = true; isMore;) {
      const sort = { sortBy: 'id', sortDirection: 'asc', offset }
      const page = caller.get('Device', { resultsLimit: 5, sort })
      ids.push(...page.map(({ id }) => id))
      offset = ids.at(-1)
      isMore = page.length > 0
    }
    expect(ids.length).toBe(caller.call('GetCountOf', { typeName: 'Device' }))
    expect(new Set(ids).size).toBe(ids.length)
    expect(() => caller.get('ExceptionEvent', { sort: { sortBy: 'id' } })).toThrow('ArgumentException')
  })

  test('finds trips by their stop, exceptions by overlap, readings by device and diagnostic', () => {
    const caller = callGeotab({ vehicles: 20 })
    const [trip] = caller.get('Trip')
    const stop = at(trip?.['stop'])
    const around = (from: number, to: number) => ({
      fromDate: new Date(from).toISOString(),
      toDate: new Date(to).toISOString(),
    })
    const ids = (type: string, search: object) => caller.get(type, { search }).map(({ id }) => id)
    expect(ids('Trip', around(stop - 1, stop + 1))).toContain(trip?.['id'])
    expect(ids('Trip', around(at(trip?.['start']), stop - 1))).not.toContain(trip?.['id'])
    const event = caller
      .get('ExceptionEvent')
      .find(({ activeFrom, activeTo }) => at(activeTo) - at(activeFrom) > 2000)
    expect(ids('ExceptionEvent', around(at(event?.['activeTo']) - 1, stop + 90 * DAY))).toContain(
      event?.['id'],
    )
    const search = { deviceSearch: { id: 'b3' }, diagnosticSearch: { id: 'DiagnosticIgnitionId' } }
    const readings = caller.get('StatusData', { search })
    expect(new Set(readings.map(({ device, diagnostic }) => `${idIn(device)} ${idIn(diagnostic)}`))).toEqual(
      new Set(['b3 DiagnosticIgnitionId']),
    )
    expect(caller.get('Trip', { search: { deviceSearch: { id: 'b99999' } } })).toEqual([])
  })

  test('returns a record with the id and version of its feed', () => {
    const caller = callGeotab({ vehicles: 4, days: 3 })
    const sorted = (entities: readonly object[]) => entities.map((entity) => JSON.stringify(entity)).sort()
    for (const type of ['LogRecord', 'StatusData', 'Trip', 'Device'])
      expect(sorted(caller.get(type))).toEqual(
        sorted(caller.feed(type, { fromVersion: '0'.repeat(16) }).data),
      )
  })

  test('refuses a page above the limit for events, and truncates lists silently', () => {
    const caller = callGeotab()
    expect(() => caller.get('LogRecord', { resultsLimit: 50_001 })).toThrow('OverLimitException')
    expect(caller.get('Device', { resultsLimit: 50_001 }).length).toBeGreaterThan(5)
    expect(() => caller.get('DutyStatusAvailability')).toThrow('ArgumentException')
  })

  test.each(['are a result', 'are results'] as const)(
    'refuses a search with too many results by a message without a Retry-After header: they %s',
    (tooManyResults) => {
      const caller = callGeotab({ switches: { tooManyResults }, mostFound: 30 })
      const credentials = caller.credentials()
      const reply = caller.post('Get', { typeName: 'LogRecord', credentials })
      expect(refusalOf(reply)).toMatchObject({ errors: [{ name: 'OverLimitException' }] })
      expect(refusalOf(reply).message).toMatch(/result/)
      expect(reply.headers).toEqual({})
      expect(caller.get('Device', { resultsLimit: 30 }).length).toBeGreaterThan(5)
    },
  )
})
