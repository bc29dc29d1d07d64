import { buildSchema, parse, specifiedRules, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { compose } from '../../../src/gateway/compose.ts'
import { costErrorOf } from '../../../src/gateway/cost/cost-limits.ts'
import { createCostEstimate } from '../../../src/gateway/cost/operation-cost.ts'
import { soleOperation } from '../../../src/gateway/operation.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'

const { apiSchema } = compose(subgraphs)
const estimate = createCostEstimate(apiSchema)

function costOf(text: string, variables: Readonly<Record<string, unknown>> = {}) {
  expect(validate(apiSchema, parse(text), specifiedRules).map(String)).toEqual([])
  return estimate({ operation: soleOperation(text), variables })
}

describe('the cost of an operation', () => {
  test.each([
    ['{ vehicle(id: "vcl_1") { id name } }', 1.2],
    ['{ vehicles { nodes { id } } }', 1 + 100 * 1.1],
    ['{ vehicles(first: 10) { nodes { id } } }', 1 + 10 * 1.1],
    ['{ vehicles(last: 10) { nodes { id } } }', 1 + 10 * 1.1],
    ['{ vehicles(first: 5000) { nodes { id } } }', 1 + 1000 * 1.1],
    ['{ vehicles(first: 0) { nodes { id } } }', 1],
    ['{ vehicles(first: 10) { edges { cursor node { id } } pageInfo { hasNextPage } } }', 2.1 + 10 * 2.2],
    ['{ vehicles(first: 10) { totalCount } }', 101.1],
    ['{ vehicle(id: "vcl_1") { locations { nodes { speed } } } }', 2 + 500 * 1.1],
    ['{ vehicle(id: "vcl_1") { locations(first: 99999) { nodes { speed } } } }', 2 + 10_000 * 1.1],
    ['{ vehicles(first: 10) { nodes { trips(first: 20) { nodes { id } } } } }', 1 + 10 * (1 + 1 + 20 * 1.1)],
    ['{ nodes(ids: ["a", "b", "c"]) { id } }', 3 * 1.1],
    ['{ a: vehicle(id: "vcl_1") { id } b: vehicle(id: "vcl_1") { id } }', 2.2],
  ])('%s', (text, cost) => {
    expect(costOf(text).cost).toBeCloseTo(cost, 6)
  })

  test('counts page sizes and lists of ids in variables, and their defaults', () => {
    const text =
      'query ($n: Int = 7, $ids: [ID!]!) { vehicles(first: $n) { nodes { id } } nodes(ids: $ids) { id } }'
    expect(costOf(text, { n: 20, ids: ['a'] }).cost).toBeCloseTo(1 + 20 * 1.1 + 1.1, 6)
    expect(costOf(text, { ids: ['a', 'b'] }).cost).toBeCloseTo(1 + 7 * 1.1 + 2.2, 6)
    expect(costOf(text, { n: null, ids: ['a'] }).cost).toBeCloseTo(1 + 100 * 1.1 + 1.1, 6)
  })

  test('leaves out what @skip and @include leave out', () => {
    const text =
      'query ($all: Boolean = false) { vehicle(id: "vcl_1") { id trips @include(if: $all) { nodes { id } } ...Name @skip(if: $all) } } fragment Name on Vehicle { device: devices { id } }'
    expect(costOf(text, { all: true }).cost).toBeCloseTo(1.1 + 1 + 100 * 1.1, 6)
    expect(costOf(text).cost).toBeCloseTo(1.1 + 10 * 1.1, 6)
  })

  test('counts one of the types of an interface', () => {
    const one = '... on OdometerStatLog { raw { data } }'
    const other = '... on FuelLevelStatLog { raw { data } }'
    const of = (fragments: string) =>
      costOf(`{ vehicle(id: "vcl_1") { stats(first: 10) { nodes { timestamp ${fragments} } } } }`).cost
    expect(of(one + other)).toBeCloseTo(of(one), 6)
    expect(of(one)).toBeCloseTo(2 + 10 * (1.1 + 2 * 1.1), 6)
  })

  test('assumes a size for the page of a custom subgraph that takes no size', () => {
    const custom = buildSchema(
      'type Query { fuel: FuelPage } type FuelPage { nodes: [Fuel!]! } type Fuel { liters: Float }',
    )
    const cost = createCostEstimate(custom)({ operation: soleOperation('{ fuel { nodes { liters } } }') })
    expect(cost.cost).toBeCloseTo(1 + 10 * 1.1, 6)
  })

  test('includes changes and requests to providers', () => {
    const change = (count: number) =>
      costOf(
        `mutation { ${Array.from({ length: count }, (_, at) => `m${at}: deleteShortLink(input: { shortLinkId: "sl_1" }) { shortLinkId }`).join(' ')} }`,
      ).cost
    expect(change(2)).toBeCloseTo(2 * change(1), 6)
    expect(change(1)).toBeGreaterThan(5000)
    expect(costOf('{ vehicleLocations(first: 1) { nodes { speed } } }').cost).toBeGreaterThan(1000)
  })

  test('includes the scan for the members of a group', () => {
    for (const list of ['vehicles', 'drivers', 'trailers'])
      expect(
        costOf(`{ groups(first: 10) { nodes { ${list}(first: 2) { nodes { id } } } } }`).cost,
      ).toBeCloseTo(1 + 10 * (1 + 500 + 1 + 2 * 1.1), 6)
  })

  test('includes the checks that a summary reads, and its groups', () => {
    const text = (args: string) => `{ purchaseSummary(by: DAY${args}) { totalGroups groups { day checks } } }`
    expect(costOf(text('')).cost).toBeCloseTo(20_000 + 1.1 + 100 * 1.2, 6)
    expect(costOf(text(', first: 28')).cost).toBeCloseTo(20_000 + 1.1 + 28 * 1.2, 6)
  })

  test('includes the checks that a fuel tax report reads, and its lines', () => {
    const text = '{ iftaReport(quarter: "2026-Q1") { us { jurisdictions { jurisdiction net } } } }'
    expect(costOf(text).cost).toBeCloseTo(20_000 + 2 + 50 * 1.2, 6)
  })

  test('is known before any exponential work: fragments that select each other twice', () => {
    const fragments = Array.from(
      { length: 60 },
      (_, at) =>
        `fragment F${at} on Vehicle { a: devices { vehicle { ...F${at + 1} } } b: devices { vehicle { ...F${at + 1} } } }`,
    )
    const text = `{ vehicles(first: 1) { nodes { ...F0 } } } ${fragments.join(' ')} fragment F60 on Vehicle { id }`
    const cost = estimate({ operation: soleOperation(text) })
    expect(cost.cost).toBeGreaterThan(2 ** 60)
    expect(cost.fields).toBeGreaterThan(2 ** 60)
    expect(costErrorOf(cost, 200_000)?.message).toMatch(
      /^The operation has \d+ levels of fields|^The operation has [\d,]+ fields/,
    )
  })
})

describe('an operation that exceeds a limit', () => {
  const errorOf = (text: string, limit = 200_000) => costErrorOf(costOf(text), limit)

  test('is refused with its cost, the limit and the costliest path', () => {
    const error = errorOf(
      '{ vehicles(first: 1000) { nodes { name all: trips(first: 1000) { nodes { id } } } } }',
    )
    expect(error?.message).toBe(
      'The operation costs 1,102,101. The limit is 200,000. Most of the cost is `vehicles.nodes.all.nodes`. Request smaller pages with `first`, fewer fields, or several operations.',
    )
    expect(error?.code).toBe('cost_limit_exceeded')
  })

  test('has no error up to the limit', () => {
    expect(
      errorOf('{ vehicles(first: 1000) { nodes { id name trips(first: 100) { nodes { id } } } } }'),
    ).toBeNull()
    expect(errorOf('{ vehicles(first: 10) { nodes { id } } }', 12)).toBeNull()
    expect(errorOf('{ vehicles(first: 10) { nodes { id } } }', 11)).not.toBeNull()
  })

  test('is refused if it is nested too deeply', () => {
    const nested = (levels: number): string =>
      levels === 0 ? 'id' : `vehicle { device: devices { ${nested(levels - 1)} } }`
    expect(errorOf(`{ device(id: "dvc_1") { ${nested(20)} } }`, Infinity)?.message).toBe(
      'The operation has 42 levels of fields. The limit is 30.',
    )
  })

  test('is refused if it has too many fields', () => {
    const fields = Array.from({ length: 10_001 }, (_, at) => `f${at}: id`).join(' ')
    expect(errorOf(`{ vehicle(id: "vcl_1") { ${fields} } }`)?.message).toBe(
      'The operation has 10,002 fields, counting those of its fragments. The limit is 10,000.',
    )
  })
})
