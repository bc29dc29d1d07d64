import fc from 'fast-check'
import { buildSchema, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createSerializers } from '../../../rest-compat/response/json-serializer.ts'

const schema = buildSchema(`
  scalar JSON
  scalar DateTime
  enum Color { DARK_RED BLUE }
  type Query { thing: Thing! things: [Thing!]! shape: Shape! shapes: [Shape!]! }
  interface Shape { id: ID! color: Color area: Float! }
  type Circle implements Shape { id: ID! color: Color area: Float! radius: Float! center: Thing }
  type Square implements Shape { id: ID! color: Color area: Float! side: Float inner: Thing }
  type Thing {
    id: ID! name: String count: Int size: Float good: Boolean! at: DateTime color: Color! colors: [Color!] any: JSON
    parent: Thing others: [Thing!]!
  }
`)

const serialize = (selection: string, value: unknown): unknown =>
  JSON.parse(createSerializers(parse(`{ thing { ${selection} } }`), schema)(['thing'])(value))

describe('the JSON serializer', () => {
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
    expect(serialize(selection, value)).toEqual(body)
  })

  test.each([
    [{ parent: { id: 'p' }, whole: { id: 'p', name: 'n' } }, { parent: { id: 'p', name: 'n' } }],
    [{ parent: { id: 'p' }, whole: null }, { parent: 'p' }],
    [{ parent: { id: 'p' } }, { parent: 'p' }],
    [{ whole: { id: 'p', name: null } }, { parent: { id: 'p' } }],
    [{ parent: null, whole: null }, {}],
  ])('writes a field that is selected twice once: %j', (value, body) => {
    expect(serialize('parent { id } whole: parent { id name }', value)).toEqual(body)
  })

  test('writes any text like JSON.stringify', () => {
    const write = createSerializers(parse('{ thing { name id } }'), schema)(['thing'])
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

  test('writes the selected fields of each type of an interface', () => {
    const selection = `__typename id ... on Circle { radius center { id } } ... on Square { side inner { id name } } area`
    const write = createSerializers(parse(`{ shapes { ${selection} } }`), schema)(['shapes'])
    const shapes = [
      { __typename: 'Square', id: 'a', side: null, inner: { id: 'i', name: 'n' }, area: 4 },
      { __typename: 'Circle', id: 'b', radius: 1, center: { id: 'c' }, area: 3 },
    ]
    expect(write(shapes)).toBe(
      '[{"id":"a","inner":{"id":"i","name":"n"},"area":4},{"id":"b","radius":1,"center":"c","area":3}]',
    )
    expect(() => write([{ __typename: 'Oval', id: 'o' }])).toThrow('no serializer for Oval')
  })

  test('refuses an operation that it does not support', () => {
    const at = (operation: string, path: string[]) => () => createSerializers(parse(operation), schema)(path)
    expect(at('{ thing { ... @include(if: true) { id } name } }', ['thing'])).toThrow(
      'plain inline fragments',
    )
    expect(at('{ thing { ...a } } fragment a on Thing { id }', ['thing'])).toThrow('fields and plain')
    expect(at('{ shape { id area } }', ['shape'])).toThrow('__typename')
    expect(at('{ thing { id } }', ['things'])).toThrow('does not select things')
  })
})
