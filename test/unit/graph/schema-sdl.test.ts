import {
  buildSchema,
  type FieldNode,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  type GraphQLObjectType,
  type GraphQLScalarType,
  type InterfaceTypeDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { scopeOfType, scopesOfRoot } from '../../../src/gateway/authorization/field-scopes.ts'
import { compose } from '../../../src/gateway/compose.ts'
import { annotatedSdl } from '../../../src/gateway/schema-sdl.ts'
import { createCostEstimate } from '../../../src/gateway/cost/operation-cost.ts'
import { soleOperation } from '../../../src/gateway/operation.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'

const { apiSchema } = compose(subgraphs)
const published = buildSchema(annotatedSdl(apiSchema))
const estimate = createCostEstimate(apiSchema)

interface ListSize {
  readonly assumedSize: number
  readonly slicingArguments?: readonly string[]
  readonly sizedFields?: readonly string[]
}

/** Computes a cost as a tool does that knows nothing but the directives. Objects cost 1, values a tenth. */
function costOf(
  set: SelectionSetNode,
  type: GraphQLObjectType,
  sized: Readonly<Record<string, number>>,
): number {
  let total = 0
  for (const node of set.selections) {
    if (node.kind !== Kind.FIELD) throw new Error('the operations have no fragments')
    const field = type.getFields()[node.name.value]
    if (!field) throw new Error(`unknown field ${node.name.value}`)
    const directiveOf = <Values>(name: string) =>
      getDirectiveValues(published.getDirective(name)!, field.astNode!) as Values | undefined
    const given = new Set((node.arguments ?? []).map((argument) => argument.name.value))
    const ofArguments = field.args
      .filter(({ name }) => given.has(name))
      .map(({ astNode }) => getDirectiveValues(published.getDirective('cost')!, astNode!)?.['weight'] ?? 0)
    const weight = [directiveOf<{ weight: string }>('cost')?.weight ?? 0, ...ofArguments]
      .map(Number)
      .reduce((total, cost) => total + cost)
    const returned = getNamedType(field.type)
    if (isLeafType(returned) || !isObjectType(returned)) {
      total += weight + 0.1
      continue
    }
    const list = directiveOf<ListSize>('listSize')
    const size = list ? sizeOf(field, node, list) : (sized[field.name] ?? 1)
    const below = Object.fromEntries((list?.sizedFields ?? []).map((name) => [name, size]))
    const count = list?.sizedFields ? 1 : size
    total += weight + count * (1 + costOf(node.selectionSet!, returned, below))
  }
  return total
}

function sizeOf(
  field: Parameters<typeof getArgumentValues>[0],
  node: FieldNode,
  { assumedSize, slicingArguments = [] }: ListSize,
): number {
  const values = getArgumentValues(field, node)
  const given = slicingArguments.map((name) => values[name]).filter((value) => typeof value === 'number')
  return given.length === 0 ? assumedSize : Math.max(...given)
}

describe('the directives of the published schema', () => {
  test.each([
    '{ vehicles { nodes { id name } pageInfo { hasNextPage } totalCount } }',
    '{ vehicles(first: 7) { edges { cursor node { id } } } }',
    '{ vehicles(first: 7, search: "ab", groupIds: []) { nodes { id } } drivers(search: "ab") { nodes { id } } }',
    '{ vehicles(last: 3) { nodes { groups { id } raw { data } trips(first: 20) { nodes { distance } } } } }',
    '{ vehicle(id: "vcl_1") { locations { nodes { speed location { latitude } } } devices { id } } }',
    '{ vehicleLocations { nodes { speed } } }',
    '{ providers { name models { name } } }',
    '{ hosLogs(first: 2) { nodes { codrivers { id } } } }',
    'mutation { deleteShortLink(input: { shortLinkId: "lnk_1" }) { shortLinkId } }',
    'subscription { vehicleLocations { speed vehicle { trips { nodes { id } } } } }',
  ])('give tools the cost that the gateway computes: %s', (text) => {
    const operation = soleOperation(text)
    const root = published.getRootType(operation.definition.operation)!
    const cost = costOf(operation.definition.selectionSet, root, {})
    expect(cost).toBeGreaterThan(1)
    expect(cost).toBeCloseTo(estimate({ operation }).cost, 6)
  })

  const scopesAt = (node: Parameters<typeof getDirectiveValues>[1]) => ({
    ...getDirectiveValues(published.getDirective('requiresScope')!, node),
  })

  test('contain the scopes of every root field and type', () => {
    for (const root of ['Query', 'Mutation', 'Subscription'])
      for (const field of Object.values((published.getType(root) as GraphQLObjectType).getFields())) {
        const { key, session } = scopesOfRoot(field.name)!
        expect([field.name, scopesAt(field.astNode!)]).toEqual([
          field.name,
          { ...(key === null ? {} : { key }), ...(session === null ? {} : { session }) },
        ])
      }
    for (const type of Object.values(published.getTypeMap()).filter(isObjectType)) {
      const names = [type.name, ...type.getInterfaces().map(({ name }) => name)]
      const key = names.map(scopeOfType).find((scope) => scope !== null) ?? null
      expect([type.name, type.astNode ? scopesAt(type.astNode) : {}]).toEqual([
        type.name,
        key === null ? {} : { key },
      ])
    }
    for (const [name, key] of [
      ['FuelLevelStatLog', 'stats:read'],
      ['VehicleStatLog', 'stats:read'],
      ['FaultCodeEvent', 'fault_codes:read'],
    ] as const)
      expect(scopesAt(published.getType(name)!.astNode as InterfaceTypeDefinitionNode)).toEqual({ key })
    expect(published.getType('Node')!.astNode!.directives).toEqual([])
    expect(scopesAt(published.getQueryType()!.getFields()['hosLogs']!.astNode!)).toEqual({
      key: 'hos:read',
      session: 'READ_RECORDS',
    })
  })

  test('name the specifications of the scalars', () => {
    const specified = ['DateTime', 'Date', 'JSON'].map((name) =>
      (published.getType(name) as GraphQLScalarType).specifiedByURL?.replace(/^https:\/\//, ''),
    )
    expect(specified).toEqual([
      'scalars.graphql.org/andimarek/date-time.html',
      'scalars.graphql.org/andimarek/local-date.html',
      'www.rfc-editor.org/rfc/rfc8259',
    ])
  })

  test('keep the rest of the schema as it is', () => {
    const fieldsOf = (schema: typeof apiSchema) =>
      Object.values(schema.getTypeMap())
        .filter(isObjectType)
        .flatMap((type) =>
          Object.values(type.getFields()).map((field) => [
            `${type.name}.${field.name}: ${String(field.type)}`,
            field.description,
            field.deprecationReason,
            field.args.map(({ name, type: argument }) => `${name}: ${String(argument)}`),
          ]),
        )
    expect(fieldsOf(published)).toEqual(fieldsOf(apiSchema))
    expect(fieldsOf(published).some(([, , deprecationReason]) => deprecationReason != null)).toBe(true)
  })
})
