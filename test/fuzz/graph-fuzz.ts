import {
  buildClientSchema,
  type DocumentNode,
  type FieldNode,
  getIntrospectionQuery,
  type GraphQLSchema,
  type IntrospectionQuery,
  parse,
  type SelectionSetNode,
  validate,
} from 'graphql'
import { shortened } from '../conformance/check.ts'
import { Failures } from './failures.ts'
import type { Fuzzed } from './fuzzed-service.ts'
import { mutationNames, nodeTypes, type Operation, Writer } from './graph-queries.ts'
import { type Pool, poolOf } from './pool.ts'
import { Random } from './random.ts'
import type { Findings } from './rest-fuzz.ts'
import { altered, strangeText } from './strange.ts'
import { type Came, send } from './wire.ts'

interface Run {
  readonly fuzzed: Fuzzed
  readonly failures: Failures
  readonly statuses: Record<string, number>
  /** Number of errors by code. */
  readonly codes: Record<string, number>
}

interface Result {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[]
}

/**
 * Sends this many generated operations. Each query runs twice: a repeated one takes another code path. Broken
 * documents follow, and then mutations; those that end a connection come last.
 */
export async function fuzzGraph(
  fuzzed: Fuzzed,
  { seed, runs }: { seed: number; runs: number },
): Promise<Findings> {
  const random = new Random(seed)
  const run: Run = { fuzzed, failures: new Failures(), statuses: {}, codes: {} }
  const schema = await schemaOf(run)
  const pool = await graphPool(run)
  const writer = new Writer(random, schema, pool)
  const before = await fuzzed.stored.settled()
  for (const operation of nodeQueries(schema, pool)) await query(run, schema, operation)
  for (const body of notRequests) for (const again of [body, body]) await sent(run, again)
  for (let at = 0; at < runs && !run.failures.enough; at++) {
    await query(run, schema, writer.query())
    if (at % 5 === 0) await broken(run, random, writer.query())
  }
  const written = fuzzed.stored.changes(before, await fuzzed.stored.mark())
  if (written.length > 0) run.failures.add('written', `queries have written to ${written.join(', ')}`)
  await mutate(run, schema, new Writer(random, schema, pool, { depth: 3, breadth: 3, invalid: 0.3 }), runs)
  return { failures: run.failures.list, requested: runs, statuses: { ...run.statuses, ...run.codes } }
}

async function schemaOf(run: Run): Promise<GraphQLSchema> {
  const { text } = await post(run, { query: getIntrospectionQuery(), variables: {} })
  return buildClientSchema((JSON.parse(text) as { data: IntrospectionQuery }).data)
}

/** Cursors of REST do not work in GraphQL. */
async function graphPool(run: Run): Promise<Pool> {
  const pool = await poolOf(run.fuzzed.subject)
  const lists = ['vehicles', 'drivers', 'trips', 'safetyEvents', 'connections', 'groups', 'devices']
  const fields = lists.map((name) => `${name}(first: 2) { edges { cursor } }`).join(' ')
  const { text } = await post(run, { query: `{ ${fields} }`, variables: {} })
  const cursors = [...text.matchAll(/"cursor":"([^"]+)"/g)].map(([, cursor = '']) => cursor)
  return { ...pool, cursors }
}

/** Returns a query of each node type by each id, alone and all together. */
function nodeQueries(schema: GraphQLSchema, { ids }: Pool): Operation[] {
  const types = nodeTypes(schema)
    .map((name) => `... on ${name} { __typename id }`)
    .join(' ')
  return [
    ...ids.map((id) => ({
      query: `query ($id: ID!) { node(id: $id) { __typename id ${types} } }`,
      variables: { id },
    })),
    {
      query: `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ${types} } }`,
      variables: { ids: ids.slice(0, 50) },
    },
    { query: `query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, variables: { ids: [...ids, ...ids] } },
  ]
}

async function query(run: Run, schema: GraphQLSchema, operation: Operation): Promise<void> {
  const invalid = validate(schema, parse(operation.query))
  if (invalid.length > 0 && !invalid.every(({ message }) => VALUE.test(message)))
    run.failures.add(
      'the generator',
      `the generator wrote an invalid document: ${invalid[0]?.message}\n${operation.query}`,
    )
  const first = await judged(run, operation)
  const again = await judged(run, operation)
  if (
    first &&
    again &&
    JSON.stringify(first.data) !== JSON.stringify(again.data) &&
    !/cameraMedia|videoUrl/.test(operation.query)
  )
    run.failures.add(
      'asked again',
      `${operationText(operation)}\n  the second response is ${shortened(JSON.stringify(again), 500)}\n  instead of ${shortened(JSON.stringify(first), 500)}`,
    )
}

/** Errors of custom scalars: validation checks their literals. */
const VALUE = /^Expected value|cannot represent|must be|Value "|Give |is no|not a/

const notRequests = [
  '[]',
  '{}',
  'null',
  '{"query":7}',
  '{"query":"{ __typename }","variables":[]}',
  '{"query":"{ __typename }","operationName":"No"}',
]

/** Sends truncated, altered and nonsense documents, and invalid requests. */
async function broken(run: Run, random: Random, { query, variables }: Operation): Promise<void> {
  const text = random.pick([
    altered(random, query),
    strangeText(random),
    `${query} ${query}`,
    `{ nonsense${random.below(9)} }`,
    `query { ...A } fragment A on Query { ...A }`,
  ])
  await judged(run, { query: text, variables })
  const body = random.pick([...notRequests, `{"query":${JSON.stringify(text)}`])
  await sent(run, body)
}

/** Mutations that end the connection that all queries read. */
const LAST = ['createSession', 'updateConnection', 'archiveConnection', 'deleteConnection']

async function mutate(run: Run, schema: GraphQLSchema, writer: Writer, runs: number): Promise<void> {
  const names = mutationNames(schema)
  const ordered = [
    ...names.filter((name) => !LAST.includes(name)),
    ...names.filter((name) => LAST.includes(name)),
  ]
  const each = Math.max(2, Math.ceil(runs / 40))
  for (const name of ordered)
    for (let at = 0; at < each && !run.failures.enough; at++) await judged(run, writer.mutation(name))
}

const sent = (run: Run, body: string): Promise<Result | null> =>
  came(run, { query: body, variables: {} }, () => postText(run, body))

async function judged(run: Run, operation: Operation): Promise<Result | null> {
  return came(run, operation, () => post(run, operation))
}

async function came(run: Run, operation: Operation, ask: () => Promise<Came>): Promise<Result | null> {
  try {
    const answer = await ask()
    run.statuses[answer.status] = (run.statuses[answer.status] ?? 0) + 1
    const result = JSON.parse(answer.text) as Result
    for (const { extensions } of result.errors ?? [])
      run.codes[String(extensions?.code)] = (run.codes[String(extensions?.code)] ?? 0) + 1
    const problem = problemOf(answer, result) ?? costProblemOf(answer, result, operation.query)
    if (problem)
      run.failures.add(
        `${problem} ${answer.text.slice(0, 80)}`,
        `${operationText(operation)}\n  responded ${answer.status} ${shortened(answer.text, 600)}\n  ${problem}`,
      )
    return result
  } catch (error) {
    run.failures.add((error as Error).message, `${operationText(operation)}\n  ${(error as Error).message}`)
    return null
  }
}

const operationText = ({ query, variables }: Operation): string =>
  `${shortened(query.replaceAll(/\s+/g, ' '), 1500)}\n  with ${shortened(JSON.stringify(variables), 600)}`

function problemOf({ status, text }: Came, { errors = [] }: Result): string | null {
  if (status >= 500) return 'a 5xx'
  if (/node_modules|SQLITE|\bat [\w.<>]+ \(/.test(text) && errors.length > 0)
    return 'the inside of the service shows'
  const codes = errors.map(({ extensions }) => extensions?.code)
  if (codes.includes('INTERNAL_SERVER_ERROR')) return 'an internal error'
  return codes.includes(undefined) ? 'an error without a code' : null
}

/** The estimated cost is never below the number of objects in the result. */
function costProblemOf({ headers }: Came, { data }: Result, text: string): string | null {
  const cost = headers['x-query-cost']
  if (cost === undefined || data == null) return null
  const objects = countObjects(parse(text), data) - 1
  return objects > Number(cost) ? `a cost of ${String(cost)} for ${objects} objects` : null
}

/** Counts the objects of a result, without those inside values of the scalar JSON. */
function countObjects({ definitions }: DocumentNode, data: unknown): number {
  const fragments = new Map(
    definitions.flatMap((node) => (node.kind === 'FragmentDefinition' ? [[node.name.value, node]] : [])),
  )
  const fieldsIn = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap((node) => {
      if (node.kind === 'Field') return [node]
      const set = node.kind === 'InlineFragment' ? node : fragments.get(node.name.value)
      return set ? fieldsIn(set.selectionSet) : []
    })
  const count = (sets: readonly SelectionSetNode[], value: unknown): number => {
    if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + count(sets, item), 0)
    if (typeof value !== 'object' || value === null) return 0
    const selected = new Map<string, SelectionSetNode[]>()
    for (const { alias, name, selectionSet } of sets.flatMap(fieldsIn)) {
      const key = (alias ?? name).value
      if (selectionSet) selected.set(key, [...(selected.get(key) ?? []), selectionSet])
    }
    return [...selected].reduce((sum, [key, inner]) => sum + count(inner, Reflect.get(value, key)), 1)
  }
  return count(
    definitions.flatMap((node) => (node.kind === 'OperationDefinition' ? [node.selectionSet] : [])),
    data,
  )
}

const post = (run: Run, operation: Operation): Promise<Came> => postText(run, JSON.stringify(operation))

function postText(run: Run, body: string): Promise<Came> {
  const { url, secretKey, connectionToken } = run.fuzzed.service.ready
  return send(url, {
    method: 'POST',
    path: '/graphql',
    headers: [
      ['authorization', `Bearer ${secretKey}`],
      ['connection-token', connectionToken],
      ['content-type', 'application/json'],
    ],
    body,
  })
}
