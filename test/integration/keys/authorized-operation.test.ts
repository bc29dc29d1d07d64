import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KeyScope, permits } from '../../../src/auth/key-scopes.ts'
import { SessionScope } from '../../../src/auth/session-scopes.ts'
import { sessionTokens } from '../../../src/auth/session-tokens.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { FederationHarness, type GatewayClient } from '../../support/federation/federation-harness.ts'
import { masterEncryption } from '../../support/factories.ts'
import type { Answer } from '../../support/graph/graph-harness.ts'
import { type OperationType, postGraphql, transports } from '../../support/graph/graphql-transports.ts'
import { seedKey } from '../../support/rows/key-rows.ts'
import { seedSessions } from '../../support/rows/session-rows.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'

/** Sends random documents of several operations. Transports run only the named one, if the caller may. */

const RUNS = Number(process.env['AUTHORIZED_RUNS'] ?? 120)
const SEED = Number(process.env['AUTHORIZED_SEED'] ?? 1)

interface Root {
  readonly type: OperationType
  readonly field: string
  readonly text: string
  readonly key: KeyScope
  readonly session: SessionScope | null
}

const ABSENT_SYNC = 'sync_01ARZ3NDEKTSV4RRFFQ69G5FAV'

/** Required scopes of each field. The test has its own table, since it tests that of the product. */
const roots: readonly Root[] = [
  root(
    'query',
    'drivers',
    '(first: 1) { nodes { firstName phone } }',
    'drivers:read',
    SessionScope.READ_FLEET,
  ),
  root('query', 'hosLogs', '(first: 1) { nodes { status } }', 'hos:read', SessionScope.READ_RECORDS),
  root('query', 'trips', '(first: 1) { nodes { distance } }', 'trips:read', SessionScope.READ_RECORDS),
  root('query', 'vehicles', '(first: 1) { nodes { name } }', 'vehicles:read', SessionScope.READ_FLEET),
  root('query', 'issues', '(first: 1) { nodes { id } }', 'issues:read', SessionScope.READ_CONNECTIONS),
  root(
    'mutation',
    'updateConnection',
    '(input: { tags: ["test"] }) { connection { id } }',
    'connections:write',
    null,
  ),
  root(
    'subscription',
    'syncProgress',
    `(syncId: "${ABSENT_SYNC}") { status }`,
    'syncs:read',
    SessionScope.READ_CONNECTIONS,
  ),
]

function root(
  type: OperationType,
  field: string,
  rest: string,
  key: KeyScope,
  session: SessionScope | null,
): Root {
  return { type, field, text: `${field}${rest}`, key, session }
}

interface OperationCase {
  readonly root: Root
  readonly name: string | null
  readonly form: 'plain' | 'inline' | 'spread'
}

const operationCase: fc.Arbitrary<OperationCase> = fc.record({
  root: fc.constantFrom(...roots),
  name: fc.constantFrom('A', 'B', 'C', 'D', null),
  form: fc.constantFrom('plain', 'inline', 'spread'),
})

const scenario = fc.record({
  operations: fc.array(operationCase, { minLength: 1, maxLength: 4 }),
  // The document runs with one name after the other: a cached answer must not serve another operation.
  names: fc.array(
    fc.oneof(
      { weight: 1, arbitrary: fc.nat({ max: 3 }) },
      { weight: 1, arbitrary: fc.constantFrom(undefined, null, '', 'a', 'D', 'undefined', 'null') },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  caller: fc.nat({ max: 23 }),
})

const aliasOf = (at: number, { field }: Root): string => `o${at}${field}`

function textOf(operations: readonly OperationCase[]): string {
  return operations
    .map(({ root, name, form }, index) => {
      const parent = `${root.type[0]!.toUpperCase()}${root.type.slice(1)}`
      const field = `${aliasOf(index, root)}: ${root.text}`
      const selection = { plain: field, inline: `... on ${parent} { ${field} }`, spread: `...F${index}` }[
        form
      ]
      const fragment = form === 'spread' ? `\nfragment F${index} on ${parent} { ${field} }` : ''
      return `${root.type} ${name ?? ''} { ${selection} }${fragment}`
    })
    .join('\n')
}

/** Returns the index of the operation that GraphQL selects; null if the request is invalid. */
function expectedOf(operations: readonly OperationCase[], name: string | null | undefined): number | null {
  const names = operations.map((operation) => operation.name)
  const isValid =
    new Set(names).size === names.length && (operations.length === 1 || names.every((one) => one !== null))
  if (!isValid) return null
  // An empty name counts as none.
  if (!name) return operations.length === 1 ? 0 : null
  const at = names.indexOf(name)
  return at < 0 ? null : at
}

interface TestCaller {
  readonly headers: Record<string, string>
  readonly scopes: readonly KeyScope[]
  readonly session: readonly SessionScope[] | null
}

const mayRun = ({ scopes, session }: TestCaller, { key, session: needed }: Root): boolean =>
  permits(scopes, key) && (session === null || (needed !== null && session.includes(needed)))

let federation: FederationHarness
const gateways: [string, GatewayClient][] = []
const callers: TestCaller[] = []

beforeAll(async () => {
  federation = await FederationHarness.start()
  gateways.push(
    ['in process', await federation.startGateway({ remoteSubgraphs: new Map() })],
    ['federated', await federation.startGateway()],
  )
  for (let at = 0; at < 12; at++) await addCallers(at)
})
afterAll(() => federation[Symbol.asyncDispose]())

/** Adds a key with some scopes, and a session that the key created with some session scopes. */
async function addCallers(at: number): Promise<void> {
  const { fleet, db } = federation
  const some = <Item>(items: readonly Item[], from: number, minLength: number) =>
    fc.sample(fc.subarray([...items], { minLength }), { seed: SEED * 1000 + from, numRuns: 1 })[0]!
  const scopes = some(
    roots.map(({ key }) => key),
    at,
    4,
  )
  const session = some(
    [SessionScope.READ_CONNECTIONS, SessionScope.READ_FLEET, SessionScope.READ_RECORDS],
    at + 100,
    1,
  )
  const { key, value } = await seedKey(db, fleet.id, { scopes })
  const [row] = await seedSessions(db, fleet.id, 1, {
    connectionIds: [fleet.connections[0]!.connection.id],
    scopes: session,
    keyId: key.id,
  })
  const tokens = sessionTokens(masterEncryption, systemClock)
  const now = Date.now()
  const token = await tokens.issue({ sessionId: row!.id, applicationId: fleet.id }, now, now + 3_600_000)
  const client = { ...fleet.narrowed(0), secretKey: value }
  callers.push(
    { headers: headersOf(client) as Record<string, string>, scopes, session: null },
    { headers: { authorization: `Bearer ${token}` }, scopes, session },
  )
}

/** Returns whether an operation ran: its alias has a value, or the stream found no sync. */
function hasRun(response: string, at: number, { type, field }: Root): boolean {
  const alias = `o${at}${field}`
  if (type !== 'subscription') return response.includes(`"${alias}":{`)
  return response.includes('"code":"NOT_FOUND"')
}

describe('the selection of an operation', () => {
  test.each(['key', 'session'])(
    'an empty operationName permits no more than none, with a %s',
    async (kind) => {
      const caller = callers.find(
        (one) =>
          (one.session !== null) === (kind === 'session') &&
          (!one.scopes.includes('drivers:read') || one.session?.includes(SessionScope.READ_FLEET) === false),
      )!
      const query = '{ drivers(first: 1) { nodes { firstName phone license { number } } } }'
      for (const [, gateway] of gateways)
        for (const operationName of [undefined, '', '', '']) {
          const { data, errors } = JSON.parse(
            await postGraphql(gateway, caller.headers, { query, operationName }),
          ) as Answer
          expect(data ?? null).toBeNull()
          expect(errors).toHaveLength(1)
        }
    },
  )

  test('only the named operation runs, and only if the caller may run it', async () => {
    const counted = { run: 0, refused: 0 }
    const check = async (
      caller: TestCaller,
      operations: readonly OperationCase[],
      name: string | null | undefined,
    ) => {
      const query = textOf(operations)
      const request = name === undefined ? { query } : { query, operationName: name }
      const expected = expectedOf(operations, name)
      const isSubscription = expected !== null && operations[expected]!.root.type === 'subscription'
      for (const [executor, gateway] of gateways)
        for (const [transport, { types, ask }] of Object.entries(transports)) {
          const response = await ask(gateway, caller.headers, request)
          operations.forEach(({ root }, operation) => {
            const shouldRun = operation === expected && types.includes(root.type) && mayRun(caller, root)
            // The response of a subscription has no alias, so another subscription may have caused it.
            if (root.type === 'subscription' && operation !== expected && isSubscription) return
            const details = { executor, transport, response, operation }
            expect({ ...details, ran: hasRun(response, operation, root) }).toEqual({
              ...details,
              ran: shouldRun,
            })
            counted[shouldRun ? 'run' : 'refused'] += 1
          })
        }
    }
    const property = fc.asyncProperty(scenario, async ({ operations, names, caller }) => {
      for (const name of names)
        await check(
          callers[caller % callers.length]!,
          operations,
          typeof name === 'number' ? operations[name % operations.length]!.name : name,
        )
    })
    await fc.assert(property, { numRuns: RUNS, seed: SEED })
    expect(counted.run).toBeGreaterThan(RUNS / 4)
    process.stdout.write(
      `${RUNS} documents at ${gateways.length * Object.keys(transports).length} transports: ${JSON.stringify(counted)}\n`,
    )
  }, 600_000)
})
