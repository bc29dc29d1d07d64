import { expect, test } from 'vitest'
import { vehicleState } from '../../../dashboard/src/live/vehicle-state.ts'

const NOW = Date.parse('2026-12-01T12:00:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE

test.each([
  ['driving', { ageMs: MINUTE, speed: 88 }],
  ['driving', { ageMs: 30 * MINUTE, speed: 88 }],
  ['silent', { ageMs: 30 * MINUTE + 1, speed: 88 }],
  ['stopped', { ageMs: MINUTE, speed: 5 }],
  ['stopped', { ageMs: 24 * HOUR, speed: 0, engineState: 'OFF' }],
  ['silent', { ageMs: 24 * HOUR + 1, speed: 0, engineState: 'OFF' }],
  ['idling', { ageMs: MINUTE, speed: 0, engineState: 'IDLE' }],
  ['idling', { ageMs: MINUTE, speed: null, engineState: 'ON' }],
  ['stopped', { ageMs: MINUTE, speed: null, engineState: null }],
  ['stopped', { ageMs: -MINUTE, speed: 0 }],
] as const)('a vehicle is %s: %j', (state, { ageMs, ...position }) => {
  const locatedAt = new Date(NOW - ageMs).toISOString()
  expect(vehicleState({ locatedAt, ...position }, NOW)).toBe(state)
})

test('a vehicle without a position has no known state', () => {
  expect(vehicleState(null, NOW)).toBe('unknown')
})
