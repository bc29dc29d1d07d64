import { describe, expect, test } from 'vitest'
import { eventTypes } from '../../../src/domain/event-catalog.ts'
import {
  checkTypes,
  eventTypeNames,
  nameFor,
  storedTypes,
} from '../../../src/subgraphs/events/event-types.ts'

const rare = [
  'trip.removed',
  'safety.removed',
  'fault_code.removed',
  'hos_log.removed',
  'hos_daily_log.removed',
  'vehicle.location_updated',
  'purchase.checked',
  'webhook_endpoint.disabled',
]
const usual = Object.keys(eventTypes).filter((type) => !rare.includes(type))

describe('the event types', () => {
  test('contain the types of the specification', () => {
    expect(Object.keys(eventTypes)).toEqual(
      expect.arrayContaining([
        'connection.completed',
        'connection.first_sync_completed',
        'connection.disconnected',
        'connection.reconnected',
        'sync.completed',
        'vehicle.added',
        'vehicle.modified',
        'vehicle.removed',
        'driver.added',
        'driver.removed',
        'safety.added',
        'safety.modified',
      ]),
    )
  })

  test.each([
    ['nothing', null, usual],
    ['*', ['*'], usual],
    ['none', [], []],
    ['one', ['sync.failed'], ['sync.failed']],
    ['an alias', ['safety_event.added'], ['safety.added']],
    ['both names of one', ['safety_event.added', 'safety.added'], ['safety.added']],
    ['* and a rare one', ['*', 'vehicle.location_updated'], [...usual, 'vehicle.location_updated']],
    ['* and the alias of a rare one', ['*', 'safety_event.removed'], [...usual, 'safety.removed']],
  ])('requested by %s select stored types', (_, requested, stored) => {
    expect(storedTypes(requested)).toEqual(stored)
  })

  test.each([
    ['nothing', null, 'safety.added', 'safety.added'],
    ['nothing, with a rare type', null, 'vehicle.location_updated', null],
    ['*', ['*'], 'safety.added', 'safety.added'],
    ['*, with a rare type', ['*'], 'webhook_endpoint.disabled', null],
    ['*, with the removal of a record', ['*'], 'hos_log.removed', null],
    ['its alias', ['safety_event.added'], 'safety.added', 'safety_event.added'],
    ['its alias and *', ['*', 'safety_event.added'], 'safety.added', 'safety_event.added'],
    ['both its names', ['safety_event.added', 'safety.added'], 'safety.added', 'safety.added'],
    ['another', ['sync.failed'], 'safety.added', null],
    [
      'its name, with a rare type',
      ['vehicle.location_updated'],
      'vehicle.location_updated',
      'vehicle.location_updated',
    ],
  ])('requested by %s are delivered under the requested name', (_, requested, stored, name) => {
    expect(nameFor(requested, stored)).toBe(name)
  })

  test('are refused by name if they do not exist', () => {
    checkTypes([...eventTypeNames, '*'])
    checkTypes(null)
    expect(() => checkTypes(['vehicle.added', 'trip.added'])).toThrow(
      expect.objectContaining({
        code: 'bad_request',
        message: expect.stringMatching(/`trip\.added`.*safety_event\.added/),
        detail: [{ message: expect.anything(), path: 'types' }],
      }),
    )
  })
})
