import { describe, expect, test } from 'vitest'
import { callGeotab, type RecordFields } from '../../../fakes/geotab/caller.ts'
import { compare } from '../../../fakes/geotab/compare.ts'
import { at, idIn, milliseconds, Reader, tripKey } from '../../../fakes/geotab/reader.ts'
import { DAY, HOUR } from '../../../fakes/geotab/times.ts'
import { type Entity } from '../../../fakes/geotab/formats.ts'

describe('a simple reader reconstructs the truth', () => {
  test('of fuel tax distances across a month boundary, from a search per month or hourly odometers', () => {
    const caller = callGeotab({ vehicles: 10, days: 16 })
    const boundary = at('2026-03-01T06:00:00Z')
    const keyOf = (fact: RecordFields) => String(fact['sourceId'])
    const monthly = new Map<string, number>()
    const add = (detail: Entity, month: string, kilometers: number) => {
      const key = `${idIn(detail['device'])}:${month}:${String(detail['jurisdiction'])}`
      monthly.set(key, (monthly.get(key) ?? 0) + kilometers)
    }
    const facts = () =>
      [...monthly].map(([sourceId, distanceKilometers]) => ({ sourceId, distanceKilometers }))
    for (const [month, fromDate, toDate] of [
      ['2026-02', '2026-02-01T06:00:00Z', '2026-03-01T06:00:00Z'],
      ['2026-03', '2026-03-01T06:00:00Z', '2026-04-01T05:00:00Z'],
    ])
      for (const detail of caller.get('FuelTaxDetail', { search: { fromDate, toDate } }))
        add(detail, month as string, Number(detail['exitOdometer']) - Number(detail['enterOdometer']))
    compare(facts(), caller.truth('IFTASummary'), keyOf)
    monthly.clear()
    for (const detail of caller.get('FuelTaxDetail', { search: { includeHourlyData: true } })) {
      const [enter, exit] = [Number(detail['enterOdometer']), Number(detail['exitOdometer'])]
      const hours = Math.floor((boundary - at(detail['enterTime'])) / HOUR)
      const isOver = at(detail['enterTime']) < boundary && boundary < at(detail['exitTime'])
      const middle = isOver ? Number((detail['hourlyOdometer'] as number[])[hours - 1]) : exit
      add(detail, at(detail['enterTime']) < boundary ? '2026-02' : '2026-03', middle - enter)
      if (isOver) add(detail, '2026-03', exit - middle)
    }
    compare(facts(), caller.truth('IFTASummary'), keyOf)
  })

  test('of available hours', () => {
    const caller = callGeotab({ vehicles: 25 })
    const users = caller.get('User', { search: { isDriver: true } })
    const read = users
      .flatMap(({ id }) => caller.get('DutyStatusAvailability', { search: { userSearch: { id } } }))
      .map((each) => ({
        driverSourceId: idIn(each['driver']),
        driveMilliseconds: milliseconds(each['driving']),
        shiftMilliseconds: Math.min(milliseconds(each['workday']), milliseconds(each['duty'])),
        cycleMilliseconds: milliseconds(each['cycle']),
        breakMilliseconds: milliseconds(each['rest']),
      }))
    compare(read, caller.truth('HOSAvailableTime'), (fact) => String(fact['driverSourceId']))
  })

  test('of utilization, from the trips', () => {
    const caller = callGeotab()
    const trips = new Reader(caller).readFeed('Trip', tripKey)
    const sum = (facts: readonly RecordFields[], name: string) =>
      facts.reduce((total, fact) => total + Number(fact[name]), 0)
    const truth = caller.truth('VehicleUtilization')
    expect(sum(truth, 'distanceKilometers')).toBeCloseTo(sum(trips, 'distance'), 1)
    const idling = trips.reduce((total, { idlingDuration }) => total + milliseconds(idlingDuration), 0)
    expect(sum(truth, 'idlingMilliseconds')).toBe(idling)
    expect(truth.length).toBeGreaterThan(10)
  })

  test('of daily duty logs: the durations of a finished day add up to 24 hours', () => {
    const caller = callGeotab({ vehicles: 6 })
    const daily = caller.truth('HOSDailyLog')
    const lengthOf = (day: RecordFields) =>
      Object.entries(day).reduce(
        (sum, [name, value]) => sum + (name.endsWith('Milliseconds') ? Number(value) : 0),
        0,
      )
    const mine = daily.filter(({ driverSourceId }) => driverSourceId === 'b1').map(lengthOf)
    expect(mine.length).toBeGreaterThan(5)
    for (const length of mine.slice(1, -1)) expect(length).toBe(DAY)
  })
})
