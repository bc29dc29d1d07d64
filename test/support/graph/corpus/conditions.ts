import type { SeededFleets } from '../fleets.ts'
import type { Case } from './operation.ts'

export const conditions = ({ a }: SeededFleets): Case[] => {
  const trip = a.connections[0]!.trips[0]!.id
  const each: Case[] = [
    [
      '@include on fields',
      'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { id @include(if: $yes) distance @include(if: $no) vehicle @include(if: $yes) { name @include(if: $no) vin } driver @include(if: $no) { id } } }',
    ],
    [
      '@skip on fields',
      'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { id @skip(if: $no) distance @skip(if: $yes) vehicle @skip(if: $no) { name @skip(if: $yes) vin } driver @skip(if: $yes) { id } } }',
    ],
    [
      'both on one field',
      'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { id a: distance @skip(if: $no) @include(if: $yes) b: distance @skip(if: $yes) @include(if: $yes) c: distance @include(if: $no) @skip(if: $no) d: distance @skip(if: $yes) @include(if: $no) } }',
    ],
    [
      'on literals',
      'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { id @include(if: true) distance @include(if: false) duration @skip(if: true) vehicle @skip(if: false) { name } driver @include(if: $yes) { id @skip(if: $no) } } }',
    ],
    [
      'on an inline fragment of a reference',
      'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { vehicle { id ... @include(if: $no) { name vin } } driver { id ... @include(if: $yes) { firstName } ... @skip(if: $yes) { lastName } } } }',
    ],
    [
      'on a named fragment',
      'fragment V on Vehicle { name make } fragment D on Driver { firstName } query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { vehicle { id ...V @include(if: $no) } driver { id ...D @include(if: $yes) } } }',
    ],
    [
      'on root fields',
      'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) @include(if: $no) { id } vehicles(first: 1) @include(if: $yes) { nodes { id } } ... @include(if: $no) { drivers { nodes { id } } } }',
    ],
    [
      'nothing is left',
      'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) @include(if: $no) { id @include(if: $yes) } }',
    ],
    [
      'nothing is left of an object',
      'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { vehicle { name @include(if: $no) } driver { id @skip(if: $yes) } } }',
    ],
    [
      'on fragments of an abstract type',
      'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { node(id: $trip) { id ... on Trip @include(if: $yes) { distance vehicle { id name @include(if: $no) } } ... on Vehicle @include(if: $no) { name } } events { nodes { subject { ... on Vehicle @include(if: $no) { name } ... on Driver @skip(if: $no) { firstName } } } } }',
    ],
    [
      'on fragments within fragments',
      'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { ... @include(if: $yes) { distance ... @include(if: $no) { duration vehicle { id } } ... @skip(if: $no) { startedAt } } } }',
    ],
    [
      'on a nullable field that occurs twice',
      'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { distance @include(if: $no) distance sourceId @include(if: $yes) sourceId @include(if: $no) provider @skip(if: $no) provider } }',
    ],
    [
      'on an object that occurs twice',
      'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { distance vehicle @include(if: $no) { name vin } vehicle { name @include(if: $yes) make } } }',
    ],
    [
      'on a field that occurs twice',
      'query ($trip: ID!, $yes: Boolean!, $no: Boolean!) { trip(id: $trip) { id @include(if: $no) id distance @include(if: $no) distance @skip(if: $yes) duration @include(if: $no) duration @include(if: $yes) } }',
    ],
  ]
  return [
    ...each.map(([name, text]): Case => [
      `${name}, as they are`,
      text,
      { variables: { trip, yes: true, no: false } },
    ]),
    ...each.map(([name, text]): Case => [
      `${name}, turned round`,
      text,
      { variables: { trip, yes: false, no: true } },
    ]),
  ]
}

/** Cases that fail in a compiler that stores conditions by field instead of by position. */
export const collidingConditions = ({ a }: SeededFleets): Case[] => {
  const trip = a.connections[0]!.trips[0]!.id
  const each: Case[] = [
    [
      'one fragment, once on a condition',
      'fragment V on Vehicle { name make } query ($trip: ID!, $x: Boolean!, $y: Boolean!) { one: trip(id: $trip) { vehicle { id ...V @include(if: $x) } } two: trip(id: $trip) { vehicle { id ...V @include(if: $y) } } }',
    ],
    [
      'one fragment, twice in a selection',
      'fragment V on Vehicle { name make } query ($trip: ID!, $x: Boolean!, $y: Boolean!) { trip(id: $trip) { vehicle { id ...V @include(if: $x) ...V @include(if: $y) } } }',
    ],
    [
      'one fragment in two inline fragments',
      'fragment V on Vehicle { name make } query ($trip: ID!, $x: Boolean!, $y: Boolean!) { trip(id: $trip) { vehicle { id ... @include(if: $x) { ...V } ... @include(if: $y) { ...V make } } } }',
    ],
    [
      'a condition on one of two selections',
      'query ($trip: ID!, $x: Boolean!, $y: Boolean!) { trip(id: $trip) { vehicle @include(if: $x) { id make } vehicle @include(if: $y) { name } id } }',
    ],
    [
      'a condition on one of two, through fragments',
      'fragment V on Vehicle { make latestLocation { speed } } query ($trip: ID!, $x: Boolean!, $y: Boolean!) { trip(id: $trip) { vehicle @include(if: $x) { ...V } vehicle @include(if: $y) { name } id } }',
    ],
    [
      'a condition on one of two, through inline fragments',
      'query ($trip: ID!, $x: Boolean!, $y: Boolean!) { trip(id: $trip) { vehicle @include(if: $x) { ... on Vehicle { make } } vehicle @include(if: $y) { ... on Vehicle { name } } id } }',
    ],
    [
      'conditions within a shared fragment',
      'fragment V on Vehicle { id name @include(if: $x) groups { name @skip(if: $y) id } } query ($trip: ID!, $x: Boolean!, $y: Boolean!) { trip(id: $trip) { vehicle { ...V } } vehicles(first: 1) { nodes { ...V @include(if: $y) } pageInfo { hasNextPage } } }',
    ],
    [
      'a fragment on Node by the type of its position',
      'fragment N on Node { id } query ($trip: ID!, $x: Boolean!, $y: Boolean!) { node(id: $trip) { ... on Trip @include(if: $x) { ...N } ... on Vehicle @include(if: $y) { ...N } __typename } }',
    ],
    [
      'nullable variables with defaults',
      'query ($trip: ID!, $x: Boolean = true, $y: Boolean = false) { trip(id: $trip) { id distance @include(if: $x) duration @skip(if: $y) } }',
    ],
    [
      'variables with defaults',
      'query ($trip: ID!, $x: Boolean! = true, $y: Boolean! = false) { trip(id: $trip) { id distance @include(if: $x) duration @skip(if: $y) } }',
    ],
    [
      'a list under conditions, twice',
      'query ($trip: ID!, $x: Boolean!, $y: Boolean!) { trip(id: $trip) { id } vehicles(first: 2) { nodes @include(if: $x) { id } nodes @include(if: $y) { name groups { id } } pageInfo { hasNextPage } } }',
    ],
  ]
  const choices = [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ]
  return [
    ...each.flatMap(([name, text]) =>
      choices.map(([x, y]): Case => [
        `${name}: ${String(x)}, ${String(y)}`,
        text,
        { variables: { trip, x, y } },
      ]),
    ),
    ['defaults of conditions', each[8]![1], { variables: { trip } }],
    ['null for a condition', each[8]![1], { variables: { trip, x: null }, code: 'BAD_USER_INPUT' }],
    ['required conditions by default', each[9]![1], { variables: { trip } }],
    ['null for a required condition', each[9]![1], { variables: { trip, x: null }, code: 'BAD_USER_INPUT' }],
  ]
}
