import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { type Executor, createInterpretedExecutor } from '../../../src/gateway/execution/executor.ts'
import { createInProcessSchema } from '../../../src/gateway/execution/in-process-schema.ts'
import { createFederatedExecutor, createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'
import { dialects, type SeededConnection, temporaryDatabase } from '../../support/factories.ts'
import { seedFleets, type SeededFleets } from '../../support/graph/fleets.ts'
import { differences } from '../../support/graph/compare-answers.ts'
import { corpus, CURSORS, cursorsIn } from '../../support/graph/operation-corpus.ts'
import type { Operation } from '../../support/graph/corpus/operation.ts'
import {
  type Answer,
  ask,
  authenticatorOver,
  contextsOver,
  documentOf,
  supergraph,
} from '../../support/graph/graph-harness.ts'
import {
  names,
  remoteSubgraphsAt,
  serveSubgraph,
  type SubgraphServer,
} from '../../support/graph/subgraph-server.ts'

/** The corpus has hundreds of operations, and each runs over several processes. */
const PATIENCE_MS = 240_000

const SHOULD_FAIL = /^(an error|errors)/

const remoteOnly = (urls: ReadonlyMap<string, string>, only: readonly string[]): Executor =>
  createFederatedExecutor(
    supergraph,
    remoteSubgraphsAt(new Map([...urls].filter(([name]) => only.includes(name)))),
  )

/**
 * Every executor for the graph. An operation compiles at its second use, so the compiled executor runs each
 * twice.
 */
describe.each(dialects)('on %s', { timeout: PATIENCE_MS }, (dialect) => {
  let fleets: SeededFleets
  let contextFor: ContextFor
  let operations: readonly Operation[]
  const executors = new Map<string, Executor>()
  const open: AsyncDisposable[] = []

  beforeAll(async () => {
    const db = await temporaryDatabase(dialect)
    open.push(db)
    fleets = await seedFleets(db)
    contextFor = contextsOver(db)
    const authenticate = authenticatorOver(db)
    const urls = new Map<string, string>()
    for (const subgraph of subgraphs) {
      const server: SubgraphServer = await serveSubgraph(subgraph, { authenticate, contextFor })
      open.push(server)
      urls.set(subgraph.name, server.url)
    }
    executors.set(
      'fused and interpreted',
      createInterpretedExecutor(createInProcessSchema(supergraph.apiSchema, subgraphs)),
    )
    executors.set('fused and compiled', createInProcessExecutor(supergraph))
    executors.set('all remote', remoteOnly(urls, names))
    for (const name of names) executors.set(`${name} remote`, remoteOnly(urls, [name]))
    operations = await wholeCorpus()
  })
  afterAll(async () => {
    for (const each of open.reverse()) await each[Symbol.asyncDispose]()
  })

  async function wholeCorpus(): Promise<Operation[]> {
    const { client, connections } = fleets.a
    const [{ vehicles, trips }] = connections as [SeededConnection]
    const variables = { vehicle: vehicles[0]!.id, trip: trips[3]!.id }
    const { data } = await ask(executor('fused and interpreted'), contextFor, {
      client,
      document: documentOf(CURSORS),
      variables,
    })
    return corpus(fleets, cursorsIn(data))
  }

  function executor(name: string): Executor {
    const found = executors.get(name)
    if (!found) throw new Error(`no executor ${name}`)
    return found
  }

  let known: Promise<Answer[]> | undefined
  const expectedAnswers = () => (known ??= answers('fused and interpreted'))

  const answers = async (name: string): Promise<Answer[]> => {
    const given: Answer[] = []
    for (const operation of operations)
      given.push(
        await ask(executor(name), contextFor, { ...operation, document: documentOf(operation.text) }),
      )
    return given
  }

  const unlike = (expected: readonly Answer[], got: readonly Answer[]) =>
    operations.flatMap(({ name, race }, at) =>
      differences(expected[at]!, got[at]!, race).map((difference) => `${name}: ${difference}`),
    )

  test('the corpus has many operations with unique names', () => {
    expect(operations.length).toBeGreaterThan(300)
    expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
  })

  test('only operations with an expected failure fail, and caller errors have their code', async () => {
    const given = await expectedAnswers()
    const unexpected = operations.flatMap(({ name, code }, index) => {
      const codes = [...new Set(given[index]!.errors?.map(({ extensions }) => extensions?.code))]
      const isExpected = code ? codes.join() === code : codes.length === 0 || SHOULD_FAIL.test(name)
      return isExpected ? [] : [[name, ...codes]]
    })
    expect(unexpected).toEqual([])
  })

  test('a compiled operation returns the same as an interpreted one, the first time and the second', async () => {
    const expected = await expectedAnswers()
    expect(unlike(expected, await answers('fused and compiled'))).toEqual([])
    expect(unlike(expected, await answers('fused and compiled'))).toEqual([])
  })

  test('a graph of remote subgraphs returns the same as the fused schema', async () => {
    expect(unlike(await expectedAnswers(), await answers('all remote'))).toEqual([])
  })

  test('an unreachable subgraph nulls only its own fields, and its address is not revealed', async () => {
    const nowhere = createFederatedExecutor(
      supergraph,
      remoteSubgraphsAt(new Map([['telemetry', 'http://127.0.0.1:9/graphql']])),
    )
    const { client } = fleets.a
    const text =
      '{ vehicles(first: 2) { nodes { name latestLocation { speed } trips(first: 1) { nodes { distance } } } } }'
    const { data, errors } = await ask(nowhere, contextFor, { client, document: documentOf(text) })
    const whole = await ask(executor('fused and interpreted'), contextFor, {
      client,
      document: documentOf(text),
    })
    const expected = (whole.data as { vehicles: { nodes: object[] } }).vehicles.nodes
    expect(data).toEqual({ vehicles: { nodes: expected.map((node) => ({ ...node, latestLocation: null })) } })
    expect(errors!.map(({ path }) => path)).toEqual(
      [0, 1].map((at) => ['vehicles', 'nodes', at, 'latestLocation']),
    )
    for (const { message, extensions } of errors!) {
      expect(message).toBe('The subgraph telemetry is unavailable. Try again later.')
      expect(extensions).toEqual({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 })
    }
  })

  test.each(names)('%s alone in another process returns the same as the fused schema', async (name) => {
    expect(unlike(await expectedAnswers(), await answers(`${name} remote`))).toEqual([])
  })
})
