import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { buildSchema } from 'graphql'
import { describe, expect, onTestFinished, test } from 'vitest'
import { schemaFiles } from '../../src/cli/schema.ts'
import { compose } from '../../src/gateway/compose.ts'
import { assertSchemaInvariants } from '../../src/gateway/schema-invariants.ts'
import { subgraphs } from '../../src/gateway/subgraphs.ts'
import type { Subgraph, SubgraphName } from '../../src/subgraphs/schema/build-subgraph.ts'

const textsIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), readFileSync(path, 'utf8')]),
  )

describe('schema/', () => {
  // A separate process, because type-graphql orders fields by the order in which their modules load.
  test('matches the code; `npm run schema` writes it', () => {
    const written = mkdtempSync(join(tmpdir(), 'odograph-schema-'))
    onTestFinished(() => rmSync(written, { recursive: true }))
    execFileSync(process.execPath, ['dist/src/cli/schema.js', written])
    expect(textsIn('schema')).toMatchObject(textsIn(written))
  })

  test('has no federation types in the public schema', () => {
    expect(schemaFiles().get('api.graphql')).not.toMatch(/_entities|_service|join__|@key/)
  })

  test('has a description of every type', () => {
    const undescribed = Object.values(compose(subgraphs).apiSchema.getTypeMap())
      .filter(
        (type) =>
          !type.name.startsWith('__') &&
          !type.description &&
          !['Query', 'Mutation', 'Subscription', 'ID', 'Int', 'Float', 'String', 'Boolean'].includes(
            type.name,
          ),
      )
      .map(({ name }) => name)
    expect(undescribed).toEqual([])
  })
})

describe('the schema rules', () => {
  const subgraph = (name: SubgraphName, sdl: string, owned: readonly string[]): Subgraph => ({
    name,
    sdl,
    schema: buildSchema(sdl, { assumeValidSDL: true }),
    owned: Object.fromEntries(owned.map((type) => [type, () => Promise.resolve(null)])),
  })
  const fleet = subgraph(
    'fleet',
    'type Query { a: Vehicle } type Vehicle @key(fields: "id") { id: ID! name: String }',
    ['Vehicle'],
  )

  test('hold for the subgraphs of this service', () => {
    expect(() => assertSchemaInvariants(subgraphs)).not.toThrow()
  })

  test.each([
    [
      'two owners',
      'type Query { b: Vehicle } type Vehicle @key(fields: "id") { id: ID! }',
      ['Vehicle'],
      'Vehicle has 2 owners',
    ],
    [
      'another key',
      'type Query { b: Vehicle } type Vehicle @key(fields: "vin") { id: ID! vin: ID }',
      [],
      'a key other than',
    ],
    [
      'a field in two subgraphs',
      'type Query { b: Vehicle } type Vehicle @key(fields: "id") { id: ID! name: String }',
      [],
      'Vehicle.name is in fleet and records',
    ],
    [
      'a field that requires another',
      'type Query { b: Vehicle } type Vehicle @key(fields: "id") { id: ID! c: Int @requires(fields: "name") }',
      [],
      'records uses @requires',
    ],
  ])('refuse %s', (_, sdl, owned, message) => {
    expect(() => assertSchemaInvariants([fleet, subgraph('records', sdl, owned)])).toThrow(message)
  })

  test('refuse an entity without an owner', () => {
    expect(() => assertSchemaInvariants([{ ...fleet, owned: {} }])).toThrow('Vehicle has 0 owners')
  })

  test('refuse subgraphs that do not compose, with a reason', () => {
    const other = 'type Query { a: Int } type Vehicle @key(fields: "id") { id: ID! name: Int }'
    expect(() => compose([fleet, { name: 'records', sdl: other }])).toThrow('do not compose')
  })
})
