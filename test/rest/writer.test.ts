import fc from 'fast-check'
import { buildSchema, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { writers } from '../../rest-compat/writer.ts'

const schema = buildSchema(`
  scalar JSON
  scalar DateTime
  enum Color { DARK_RED BLUE }
  type Query { thing: Thing! things: [Thing!]! }
  type Thing {
    id: ID! name: String count: Int size: Float good: Boolean! at: DateTime color: Color! colors: [Color!] any: JSON
    parent: Thing others: [Thing!]!
  }
`)

const written = (selection: string, value: unknown): unknown =>
  JSON.parse(writers(parse(`{ thing { ${selection} } }`), schema)(['thing'])(value))

describe('the writer', () => {
  test.each([
    ['name id', { name: null, id: 'a' }, { id: 'a' }],
    ['name', { name: null }, {}],
    ['id name', { id: 'a' }, { id: 'a' }],
    ['good count size', { good: false, count: 0, size: -0.5 }, { good: false, count: 0, size: -0.5 }],
    [
      'name color colors',
      { name: '', color: 'DARK_RED', colors: ['BLUE'] },
      { name: '', color: 'dark_red', colors: ['blue'] },
    ],
    [
      'any id',
      { any: { kept: null, list: [null] }, id: 'a' },
      { any: { kept: null, list: [null] }, id: 'a' },
    ],
    ['any', { any: false }, { any: false }],
    ['at', { at: '2026-01-31T12:00:00.000Z' }, { at: '2026-01-31T12:00:00.000Z' }],
    [
      'parent { id } others { id }',
      { parent: { id: 'p' }, others: [{ id: 'a' }, { id: 'b' }] },
      { parent: 'p', others: ['a', 'b'] },
    ],
    ['parent { id name }', { parent: { id: 'p', name: null } }, { parent: { id: 'p' } }],
    ['others { id }', { others: [] }, { others: [] }],
    ['parent { parent { id } }', { parent: { parent: null } }, { parent: {} }],
  ])('writes %s', (selection, value, body) => {
    expect(written(selection, value)).toEqual(body)
  })

  test.each([
    [{ parent: { id: 'p' }, whole: { id: 'p', name: 'n' } }, { parent: { id: 'p', name: 'n' } }],
    [{ parent: { id: 'p' }, whole: null }, { parent: 'p' }],
    [{ parent: { id: 'p' } }, { parent: 'p' }],
    [{ whole: { id: 'p', name: null } }, { parent: { id: 'p' } }],
    [{ parent: null, whole: null }, {}],
  ])('writes what is selected twice once: %j', (value, body) => {
    expect(written('parent { id } whole: parent { id name }', value)).toEqual(body)
  })

  test('writes any text as JSON does', () => {
    const write = writers(parse('{ thing { name id } }'), schema)(['thing'])
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '\\', '\u2028', '\ud800', '\udfff\ud83d', '\u007f', '\0'),
    )
    fc.assert(
      fc.property(text, text, (name, id) => {
        expect(write({ name, id })).toBe(JSON.stringify({ name, id }))
      }),
    )
  })

  test('refuses an operation that it cannot write', () => {
    const at = (operation: string, path: string[]) => () => writers(parse(operation), schema)(path)
    expect(at('{ thing { ... { id } name } }', ['thing'])).toThrow('selects fields only')
    expect(at('{ thing { id } }', ['things'])).toThrow('does not select things')
  })
})
