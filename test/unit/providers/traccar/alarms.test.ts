import { expect, test } from 'vitest'
import { toSafetyEvent } from '../../../../src/providers/traccar/safety.ts'
import { eventWithPosition } from '../../../../src/providers/traccar/schemas.ts'

const eventWith = (alarm: string) =>
  eventWithPosition.parse({
    event: { id: 1, type: 'alarm', eventTime: '2026-03-02T10:00:00Z', deviceId: 2, attributes: { alarm } },
    position: null,
  })

test.each([
  ['hardBraking', 'harsh_brake'],
  ['fatigueDriving', 'drowsiness'],
  ['laneChange', 'unsafe_lane_change'],
  ['lowBattery,laneChange,accident', 'unsafe_lane_change'],
])('the alarm %s is a safety event of type %s', (alarm, type) => {
  expect(toSafetyEvent(eventWith(alarm))).toMatchObject({ type })
})
