import { expect, test } from 'vitest'
import { isSubscription } from '../../../src/http/sse/is-subscription.ts'

test.each([
  ['subscription { events { id } }', null],
  ['\uFEFF# a comment\nsubscription Log($after: ID) { events(after: $after) { id } }', null],
  ['query A { a } subscription B { events { id } }', 'B'],
  ['fragment f on Event { id } subscription { events { ...f } }', null],
  ['fragment subscription on Event { id } subscription query { events { id } }', 'query'],
  // It is invalid, and the stream has its errors.
  ['subscription { nothing }', null],
])('%s, operation %s, is a subscription', (text, operationName) => {
  expect(isSubscription(text, operationName)).toBe(true)
})

test.each([
  ['{ subscription }', null],
  ['query subscription { a }', null],
  ['query ($subscription: ID = "subscription") { a(b: $subscription) }', null],
  ['query A { a } subscription B { events { id } }', 'A'],
  ['query A { a } subscription B { events { id } }', 'C'],
  ['fragment subscription on Query { a } { ...subscription }', null],
  ['"subscription"', null],
  ['subscription { "an open string', 'none'],
  ['{ vehicles { id } }', null],
  ['', null],
])('%s, operation %s, is no subscription', (text, operationName) => {
  expect(isSubscription(text, operationName)).toBe(false)
})

test('no more tokens are read than a document may have', () => {
  expect(isSubscription(`{${' a'.repeat(20_000)} } subscription { events { id } }`, null)).toBe(false)
})
