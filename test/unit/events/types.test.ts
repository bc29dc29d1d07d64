import { describe, expect, test } from 'vitest'
import {
  checkTypes,
  eventTypeNames,
  eventTypes,
  nameFor,
  storedTypes,
} from '../../../src/subgraphs/events/event-types.ts'

const rare = ['vehicle.location_updated', 'webhook_endpoint.disabled']
const usual = Object.keys(eventTypes).filter((type) => !rare.includes(type))

describe('the types of events', () => {
  test('are those of the specification, and those that its gaps add', () => {
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
  ])('asked for by %s are found in the log', (_, asked, stored) => {
    expect(storedTypes(asked)).toEqual(stored)
  })

  test.each([
    ['nothing', null, 'safety.added', 'safety.added'],
    ['nothing, and rare', null, 'vehicle.location_updated', null],
    ['*', ['*'], 'safety.added', 'safety.added'],
    ['*, and rare', ['*'], 'webhook_endpoint.disabled', null],
    ['its alias', ['safety_event.added'], 'safety.added', 'safety_event.added'],
    ['its alias beside *', ['*', 'safety_event.added'], 'safety.added', 'safety_event.added'],
    ['both its names', ['safety_event.added', 'safety.added'], 'safety.added', 'safety.added'],
    ['another', ['sync.failed'], 'safety.added', null],
    [
      'its name, and rare',
      ['vehicle.location_updated'],
      'vehicle.location_updated',
      'vehicle.location_updated',
    ],
  ])('asked for by %s are called so', (_, asked, stored, name) => {
    expect(nameFor(asked, stored)).toBe(name)
  })

  test('that there are not are refused by their name', () => {
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
