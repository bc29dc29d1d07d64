import { expect, test } from 'vitest'
import { ActiveOperations } from '../../../src/http/websockets/active-operations.ts'

const subscribe = JSON.stringify({ id: 'a', type: 'subscribe', payload: { query: '{ __typename }' } })
const complete = JSON.stringify({ id: 'a', type: 'complete' })

/** Passes a message of the client on, and returns its internal ID. */
function receive(operations: ActiveOperations, text: string): string {
  const message = operations.incoming(text)
  if (message === null || typeof message === 'string') throw new Error(`The message is ${message}.`)
  return (JSON.parse(message.text) as { id: string }).id
}

const resultOf = (id: string) => `{"id":${JSON.stringify(id)},"type":"next","payload":{}}`

test('an ID that a client uses again belongs to the new operation: the result of the old one is not sent', () => {
  const operations = new ActiveOperations()
  const old = receive(operations, subscribe)
  expect(operations.incoming(subscribe)).toBe('duplicate')
  expect(receive(operations, complete)).toBe(old)
  const next = receive(operations, subscribe)
  expect(operations.outgoing(resultOf(old))).toBe(null)
  expect(operations.outgoing(resultOf(next))).toBe(resultOf('a'))
})

test('the lifetime of an operation ends when its client completes it, and that of the others with the socket', () => {
  const operations = new ActiveOperations()
  const lifetimes = ['a', 'b'].map((id) => {
    const internalId = receive(operations, subscribe.replace('"a"', `"${id}"`))
    return operations.get(internalId)!.lifetime
  })
  const errors = () =>
    lifetimes.map((lifetime) => {
      try {
        lifetime.throwIfEnded()
        return null
      } catch (error) {
        return (error as Error).message
      }
    })
  receive(operations, complete)
  const completed = 'The client stopped the operation before its result.'
  expect(errors()).toEqual([completed, null])
  operations.end()
  expect(errors()).toEqual([completed, 'The client closed the connection before the response.'])
})
