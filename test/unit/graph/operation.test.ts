import { createHash } from 'node:crypto'
import { GraphQLError, parse, print } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/gateway/operation.ts'
import { chooseOperation, soleOperation } from '../../../src/gateway/operation.ts'

const TWO = 'query A { vehicles { ...F } } query B { drivers { ...F } } fragment F on Node { id }'

const chosen = (text: string, name?: string | null): Operation => {
  const operation = chooseOperation(parse(text), name)
  if (operation instanceof GraphQLError) throw operation
  return operation
}

describe('the operation of a request', () => {
  test.each([undefined, null, ''])('is the only one in the document if operationName is %j', (name) => {
    expect(chosen('subscription S { events { id } }', name)).toMatchObject({
      name: 'S',
      type: 'subscription',
    })
    expect(chosen('{ vehicles { id } }', name)).toMatchObject({ name: null, type: 'query' })
  })

  test.each(['A', 'B'])('is the one with the requested name: %s', (name) => {
    expect(chosen(TWO, name).name).toBe(name)
  })

  test('has the hash of the text of its document, whose literals do not count', () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    expect(chosen(TWO, 'A').documentHash).toBe(sha256(TWO))
    expect(chosen(TWO, 'B').documentHash).toBe(sha256(TWO))
    const withLiterals = (text: string, block: string, whole: string, decimal: string) =>
      `query Q($v: Int = ${whole}) { f(a: "${text}", b: ["""${block}""", "${text}"], c: {d: ${decimal}, e: ON}) { id } }`
    const blank = 'query Q($v: Int = 0) { f(a: "", b: ["", ""], c: {d: 0, e: ON}) { id } }'
    for (const text of [
      withLiterals('secret', 'many "quoted"\nlines', '1', '2.5e3'),
      withLiterals('caf\\u00e9 # no comment', '', '-7', '4'),
    ])
      expect(chosen(text).documentHash).toBe(sha256(blank))
    expect(chosen(blank.replace('ON', 'OFF')).documentHash).not.toBe(sha256(blank))
  })

  test('has a document with its fragments and without other operations', () => {
    const text = print(chosen(TWO, 'B').document)
    expect(text).toContain('query B')
    expect(text).toContain('fragment F')
    expect(text).not.toContain('query A')
  })

  test('is the same object each time', () => {
    const document = parse(TWO)
    expect(chooseOperation(document, 'A')).toBe(chooseOperation(document, 'A'))
    expect(chooseOperation(document, 'A')).not.toBe(chooseOperation(document, 'B'))
  })

  test.each([
    [TWO, '', 'Must provide operation name if query contains multiple operations.'],
    [TWO, 'a', 'Unknown operation named "a".'],
    [TWO, 'toString', 'Unknown operation named "toString".'],
    [TWO, 'null', 'Unknown operation named "null".'],
    [TWO, null, 'Must provide operation name if query contains multiple operations.'],
    [TWO, undefined, 'Must provide operation name if query contains multiple operations.'],
    ['query A { a } { b }', null, 'Must provide operation name if query contains multiple operations.'],
    ['query A { a } query A { b }', 'A', 'There can be only one operation named "A".'],
    ['fragment F on Node { id }', null, 'Must provide an operation.'],
    ['fragment F on Node { id }', 'F', 'Unknown operation named "F".'],
  ])('is an error for %s and the name %j: %s', (text, name, message) => {
    const error = chooseOperation(parse(text), name)
    expect(error).toBeInstanceOf(GraphQLError)
    expect(error).toMatchObject({ message, extensions: { code: 'BAD_USER_INPUT' } })
  })

  test('has a log name of at most 100 characters', () => {
    expect(soleOperation(`query ${'x'.repeat(300)} { a }`).shortName).toHaveLength(100)
  })
})

describe('a subscription that resumes after an event', () => {
  test('does not grow if fragments spread each other many times', () => {
    const levels = Array.from(
      { length: 40 },
      (_, at) => `fragment F${at} on Subscription { ...F${at + 1} ...F${at + 1} }`,
    )
    const text = `subscription { ...F0 } ${levels.join(' ')} fragment F40 on Subscription { events { id } }`
    const { document } = soleOperation(text).resumedAfter('evt_1')
    expect(document.definitions).toHaveLength(42)
    expect(print(document)).toContain('events(after: "evt_1")')
  })

  test.each([
    ['subscription { events { id } }', 'events(after: "evt_1")'],
    ['subscription ($after: ID) { events(after: $after) { id } }', 'events(after: "evt_1")'],
    ['subscription { events(after: "evt_0", types: [A]) { id } }', 'events(types: [A], after: "evt_1")'],
    ['subscription { ... { events { id } } }', '... { events(after: "evt_1")'],
    [
      'subscription { ... on Subscription { events { id } } }',
      '... on Subscription { events(after: "evt_1")',
    ],
    [
      'subscription { ...F } fragment F on Subscription { events { id } }',
      'fragment F on Subscription { events(after: "evt_1")',
    ],
    [
      'subscription { ...F } fragment F on Subscription { ... { ...G } } fragment G on Subscription { events { id } }',
      'fragment G on Subscription { events(after: "evt_1")',
    ],
    [
      'subscription ($yes: Boolean!) { ...F @include(if: $yes) } fragment F on Subscription { e: events { id } }',
      'fragment F on Subscription { e: events(after: "evt_1")',
    ],
    [
      'subscription { events { subject { ...F } } } fragment F on Vehicle { trips(after: "x") { id } }',
      'fragment F on Vehicle { trips(after: "x")',
    ],
  ])('%s', (text, part) => {
    const resumed = soleOperation(text).resumedAfter('evt_1')
    const { definition } = resumed
    expect(resumed.document.definitions).toContain(definition)
    expect(print(resumed.document).replaceAll(/\s+/g, ' ')).toContain(part)
  })
})
