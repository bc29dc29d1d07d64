import { expect, test } from 'vitest'
import type { Message } from '../../../src/webhooks/messages/message.ts'
import { OrderingQueue } from '../../../src/webhooks/worker/ordering-queue.ts'

test('without ordering, every message is sent at once', () => {
  const queue = new OrderingQueue(false)

  expect(placements(queue, [newMessage('veh_1'), newMessage('veh_1')])).toEqual(['send', 'send'])
  expect(queue.isBusy).toBe(false)
})

test('a message without a record is sent at once', () => {
  expect(new OrderingQueue(true).place(newMessage(null))).toBe('send')
})

test('the messages of a record form one queue, in the order of their arrival', () => {
  const queue = new OrderingQueue(true)
  const [first, second] = [newMessage('veh_1'), newMessage('veh_1')]

  expect(placements(queue, [first, second, newMessage('veh_2')])).toEqual([
    'sendQueue',
    'queued',
    'sendQueue',
  ])
  expect(queue.first('veh_1')).toBe(first)
  queue.removeFirst('veh_1')
  expect(queue.first('veh_1')).toBe(second)
})

test('a retry ends the queue and holds the record until its rows are done', () => {
  const queue = new OrderingQueue(true)
  const [first, second] = [newMessage('veh_1'), newMessage('veh_1')]
  placements(queue, [first, second])
  queue.removeFirst('veh_1')

  expect(queue.endRetried('veh_1')).toEqual([second])
  expect(queue.place(newMessage('veh_1'))).toBe('keep')

  queue.endHold(['veh_1'], [])
  expect(queue.place(newMessage('veh_1'))).toBe('sendQueue')
})

test('a held record whose queue ends releases its next waiting row, once', () => {
  const queue = new OrderingQueue(true)
  queue.place(storedMessage('veh_1', new Date()))
  queue.removeFirst('veh_1')
  queue.end('veh_1')

  expect(queue.hasReleased).toBe(true)
  expect(queue.takeReleased()).toEqual(['veh_1'])
  expect(queue.takeReleased()).toEqual([])
})

test('a record stays held while an outcome of its messages is buffered', () => {
  const queue = new OrderingQueue(true)
  queue.load(new Map([['veh_1', true]]))
  const held = newMessage('veh_1')

  queue.endHold(['veh_1'], [{ message: held, delivery: held.delivery } as never])
  expect(queue.place(newMessage('veh_1'))).toBe('keep')
  expect(queue.takeReleased()).toEqual(['veh_1'])
})

test('a waiting row is sent only behind the row that it waits for', () => {
  const queue = new OrderingQueue(true)

  expect(queue.place(storedMessage('veh_1', null))).toBe('keep')
  expect(queue.place(storedMessage('veh_1', new Date()))).toBe('sendQueue')
  expect(queue.place(storedMessage('veh_1', null))).toBe('queued')
})

test('loading holds the records with pending rows, and releases those without a due row', () => {
  const queue = new OrderingQueue(true)
  queue.load(new Map(Object.entries({ veh_due: true, veh_waiting: false })))

  expect(queue.takeReleased()).toEqual(['veh_waiting'])
  expect(placements(queue, [newMessage('veh_due'), newMessage('veh_waiting')])).toEqual(['keep', 'keep'])
})

test('is full above 500 queued messages, until queues are sent or ended', () => {
  const queue = new OrderingQueue(true)
  placements(
    queue,
    Array.from({ length: 501 }, () => newMessage('veh_1')),
  )

  expect(queue.isFull).toBe(true)
  queue.removeFirst('veh_1')
  expect(queue.isFull).toBe(false)
  expect(queue.endRetried('veh_1')).toHaveLength(500)
  expect(queue.isBusy).toBe(false)
})

const placements = (queue: OrderingQueue, messages: readonly Message[]) =>
  messages.map((message) => queue.place(message))

const newMessage = (resourceId: string | null): Message =>
  ({ isStored: false, delivery: { resourceId, nextAttemptAt: null } }) as Message

const storedMessage = (resourceId: string, nextAttemptAt: Date | null) =>
  ({ isStored: true, delivery: { resourceId, nextAttemptAt } }) as unknown as Message
