import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { completeRoute } from '../../../rest-compat/response/record-selection.ts'
import { route as declare, type Route } from '../../../rest-compat/route.ts'
import { recordShape } from '../../../rest-compat/response/response-shape.ts'
import { z } from 'zod'

const schema = buildSchema(`
  interface Node { id: ID! }
  type Query { truck: Truck fault: Fault }
  type Raw { data: String }
  type Plate { state: String number: String }
  type Position { truck: Truck raw: [Raw!]! }
  type Truck implements Node {
    id: ID! name: String plate: Plate groups: [Group!]! trailer: Trailer
    positions(first: Int): [Position!]! latest: Position raw: [Raw!]!
  }
  type Group implements Node { id: ID! name: String parent: Group raw: [Raw!]! }
  type Trailer implements Node { id: ID! length: Int }
  interface Fault implements Node { id: ID! code: String }
  type Engine implements Node & Fault { id: ID! code: String spn: Int }
  type Body implements Node & Fault { id: ID! code: String part: String }
`)

const selected = (operation: string): string => {
  const { operation: complete } = completeRoute({ ...route, operation }, schema)
  return complete.replaceAll(/\s+/g, ' ')
}

const route: Route = declare({
  method: 'GET',
  path: '/trucks/{id}',
  summary: 'Get one truck',
  tag: 'Vehicles',
  auth: 'connection',
  query: z.object({}),
  operation: '',
  response: recordShape('truck'),
})

test('a record has all its fields except lists with arguments and the records of other models', () => {
  expect(selected('query { truck { ...Truck } }')).toBe(
    'query { truck { id name plate { state number } groups { id } trailer { id } } }',
  )
})

test('raw and whole references depend on the boolean variables of the operation', () => {
  expect(
    selected('query Q($raw: Boolean!, $groups: Boolean!, $trailer: Boolean!) { truck { ...Truck } }'),
  ).toBe(
    'query Q($raw: Boolean!, $groups: Boolean!, $trailer: Boolean!) { truck { id name plate { state number } ' +
      'groups @skip(if: $groups) { id } wholeGroups: groups @include(if: $groups) { id name parent { id } } ' +
      'trailer { id } wholeTrailer: trailer @include(if: $trailer) { id length } raw @include(if: $raw) { data } } }',
  )
})

test('an interface has its own fields and those of each type', () => {
  expect(selected('query { fault { ...Fault } }')).toBe(
    'query { fault { __typename id code ... on Engine { spn } ... on Body { part } } }',
  )
})

test('a type that the schema lacks is refused', () => {
  expect(() => selected('query { ...Missing }')).toThrow('`...Missing` in a route')
})
