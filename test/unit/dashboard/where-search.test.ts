import { expect, test } from 'vitest'
import { placeOf, placeText, questionOf, whereSearch } from '../../../dashboard/src/where/where-search.ts'

test.each([
  ['30.2672,-97.7431', { latitude: 30.2672, longitude: -97.7431 }],
  [' 30.2672 , -97.7431 ', { latitude: 30.2672, longitude: -97.7431 }],
  ['30.2672 -97.7431', { latitude: 30.2672, longitude: -97.7431 }],
  ['-90;180', { latitude: -90, longitude: 180 }],
  ['91,0', null],
  ['0,181', null],
  ['30.2672', null],
  ['Austin, TX', null],
  ['', null],
])('the text %o is the place %o', (text, place) => {
  expect(placeOf(text)).toEqual(place)
})

test('a place is written to about a meter', () => {
  expect(placeText({ longitude: -97.7431234, latitude: 30.2 })).toBe('30.20000,-97.74312')
})

test('an address holds a place, a radius, a day, a time and minutes', () => {
  const search = { place: '30.2,-97.7', radius: 250, day: '2026-11-30', time: '14:00', minutes: 30 }
  expect(whereSearch(search)).toEqual(search)
  expect(
    whereSearch({ place: 'here', radius: 7, day: '2026-02-30', time: '25:00', minutes: '30', x: 1 }),
  ).toEqual({})
})

test('a question spans the minutes before and after the time, in the zone of the page', () => {
  const search = { place: '30.2,-97.7', day: '2026-11-30', time: '14:00', minutes: 30 }
  expect(questionOf(search, '2026-12-01', 'America/Chicago')).toEqual({
    place: { latitude: 30.2, longitude: -97.7 },
    radius: 500,
    startAt: Date.parse('2026-11-30T19:30:00Z'),
    endAt: Date.parse('2026-11-30T20:30:00Z'),
  })
})

test('without a day the question is about today', () => {
  const question = questionOf({ place: '30.2,-97.7', time: '00:05' }, '2026-12-01', 'UTC')
  expect(question?.startAt).toBe(Date.parse('2026-11-30T23:55:00Z'))
})

test.each([{}, { place: '30.2,-97.7' }, { time: '14:00' }])('%o asks nothing', (search) => {
  expect(questionOf(search, '2026-12-01', 'UTC')).toBeNull()
})
