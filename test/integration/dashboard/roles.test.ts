import { getNamedType, type GraphQLArgument, isRequiredArgument } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticator, keyHolder } from '../../../src/auth/caller.ts'
import { type KeyScope, keyScopes } from '../../../src/auth/key-scopes.ts'
import { SessionRole } from '../../../src/auth/session-roles.ts'
import { sessionTokens } from '../../../src/auth/session-tokens.ts'
import type { Id } from '../../../src/domain/ids.ts'
import { scopesOfRoot } from '../../../src/gateway/authorization/field-scopes.ts'
import { createGateway, type Gateway } from '../../../src/gateway/gateway.ts'
import { soleOperation } from '../../../src/gateway/operation.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import { createSignInLink } from '../../../src/subgraphs/connections/sessions/create-sign-in-link.ts'
import { dashboardSessions } from '../../../src/subgraphs/connections/sessions/dashboard-sessions.ts'
import { operatorActor } from '../../../src/subgraphs/tables/audit-log.ts'
import type { EventRow } from '../../../src/storage/outbox.ts'
import { AuditHarness } from '../../support/audit/audit-harness.ts'
import { mutationCases } from '../../support/audit/mutation-cases.ts'
import {
  asRow,
  dialects,
  masterEncryption,
  type SeededApplication,
  unknownId,
} from '../../support/factories.ts'
import { requiredArguments } from '../../support/graph/foreign-access-attempts.ts'
import { seedWebhooks } from '../../support/graph/webhook-rows.ts'
import { type Answer, silent, supergraph } from '../../support/graph/graph-harness.ts'
import { ConnectionsHarness } from '../../support/harnesses/connections-harness.ts'
import { seedKey } from '../../support/rows/key-rows.ts'

const { VIEWER, OPERATOR, ADMIN } = SessionRole
const roles = [VIEWER, OPERATOR, ADMIN] as const

const OPERATOR_WRITES =
  'connections:write vehicles:write syncs:write issues:write webhooks:write purchases:write links:write'.split(
    ' ',
  )

/** Roles that have a scope, as the documentation lists them. */
const permits = (role: SessionRole, scope: KeyScope | null): boolean =>
  scope === null ||
  scope.endsWith(':read') ||
  role === ADMIN ||
  (role === OPERATOR && OPERATOR_WRITES.includes(scope))

const { apiSchema } = supergraph
const rootTypes = [apiSchema.getQueryType()!, apiSchema.getMutationType()!, apiSchema.getSubscriptionType()!]
const rootFields = rootTypes.flatMap((type) =>
  Object.keys(type.getFields()).map((field): [string, string] => [type.name, field]),
)
const queries = Object.values(apiSchema.getQueryType()!.getFields())
/** `createSession` is refused to every session, whatever its scopes; a test below says so. */
const mutations = Object.entries(mutationCases).filter(([name]) => name !== 'createSession')

interface Person {
  readonly sessionId: Id<'session'>
  readonly token: string
}

describe.each(dialects)('roles on %s', (dialect) => {
  let harness: ConnectionsHarness
  let gateway: Gateway
  beforeAll(async () => {
    harness = await ConnectionsHarness.start(dialect)
    const { contextFor } = harness
    gateway = createGateway({ authenticate: authenticate(), contextFor, log: silent })
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const deps = () => ({ ...harness.tools, secrets: masterEncryption })
  const authenticate = () => {
    const { clock, db } = harness.tools
    return authenticator(callerLookups(db), { tokens: sessionTokens(masterEncryption, clock), clock })
  }
  /** Looks the session up again, so that no cached caller answers. */
  const callerOf = ({ token }: Pick<Person, 'token'>) => authenticate()({ authorization: `Bearer ${token}` })

  async function signIn(
    applicationId: string,
    role: SessionRole,
    name: string | null = null,
  ): Promise<Person> {
    const { code } = await createSignInLink(deps(), { applicationId, name, role, actor: operatorActor })
    const { token, session } = await dashboardSessions(deps()).openLink(code)
    return { token, sessionId: session.id }
  }

  async function signInWithKey(applicationId: string, scopes: KeyScope[] | null) {
    const key = await seedKey(harness.db, applicationId, { scopes })
    const holder = keyHolder(applicationId, null, { id: key.key.id, scopes, expiresAt: null })
    const { token, session } = await dashboardSessions(deps()).create(holder)
    return { token, sessionId: session.id, key }
  }

  async function execute(person: Pick<Person, 'token'>, text: string, variables = {}): Promise<Answer> {
    const caller = await callerOf(person)
    const context = harness.contextFor({ caller, credentials: {} })
    const answer = await gateway.execute({ operation: soleOperation(text), variables, context })
    return JSON.parse(JSON.stringify(answer)) as Answer
  }

  function mutate(person: Person, name: string, input: object): Promise<Answer> {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`
    const { selection } = mutationCases[name]!
    return execute(person, `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`, {
      input,
    })
  }

  const codeOf = ({ errors }: Answer): string | null => errors?.[0]?.extensions?.code ?? null
  const missingScopeIn = ({ errors }: Answer): string | null => {
    const { detail } = (errors?.[0]?.extensions ?? {}) as { readonly detail?: unknown }
    return /^Missing scope: (\S+)$/.exec(String(detail))?.[1] ?? null
  }

  describe('the table', () => {
    let people: ReadonlyMap<SessionRole, Person>
    beforeAll(async () => {
      const { id } = await harness.application()
      people = new Map(await Promise.all(roles.map(async (role) => [role, await signIn(id, role)] as const)))
    })

    test.each(rootFields)('permits %s.%s to the roles that have its scope', async (type, field) => {
      const { key: scope } = scopesOfRoot(field)!
      for (const role of roles) {
        const answer = await execute(people.get(role)!, `${type.toLowerCase()} { ${field} { __typename } }`)
        expect([role, missingScopeIn(answer)]).toEqual([role, permits(role, scope) ? null : scope])
        expect(answer.errors?.[0]?.message ?? '').not.toMatch(/may only read|A session cannot/)
      }
    })

    test.each(queries.map(({ name, args }) => [name, args] as const))(
      'lets the roles that have its scope read %s',
      async (name, args) => {
        const { key: scope } = scopesOfRoot(name)!
        const text = `{ ${name}${argumentsOf(name, args)} { __typename } }`
        for (const role of roles) {
          const code = codeOf(await execute(people.get(role)!, text))
          expect([role, permits(role, scope) ? 'permitted' : 'FORBIDDEN']).toEqual([
            role,
            code === 'FORBIDDEN' ? code : 'permitted',
          ])
          expect(['GRAPHQL_VALIDATION_FAILED', 'INTERNAL_SERVER_ERROR']).not.toContain(code)
        }
      },
    )
  })

  describe.each(roles)('%s', (role) => {
    test.concurrent.each(mutations)('runs %s if it has the scope', async (name, { action, prepare }) => {
      const stage = await AuditHarness.set(harness)
      const { input } = await prepare(stage)
      const person = await signIn(stage.linked.applicationId, role, 'Ada Byron')
      const before = await stage.state()
      const earlier = (await stage.entries()).length
      const answer = await mutate(person, name, input)
      if (!permits(role, scopesOfRoot(name)!.key)) {
        expect([codeOf(answer), answer.data ?? null]).toEqual(['FORBIDDEN', null])
        expect(await stage.state()).toEqual(before)
        return
      }
      expect(answer.errors).toBeUndefined()
      expect((await stage.entries()).slice(earlier)).toMatchObject([
        { action, actorKind: 'session', actorId: person.sessionId, actorName: 'Ada Byron' },
      ])
    })

    test.concurrent.each(mutations)(
      'changes nothing of another application by %s',
      async (name, { prepare }) => {
        const theirs = await AuditHarness.set(harness)
        const own = await harness.application()
        const { input } = await prepare(theirs)
        const before = await theirs.state()
        await mutate(await signIn(own.id, role), name, input)
        expect(await theirs.state()).toEqual(before)
      },
    )
  })

  test('a session never has more scopes than the key that created it', async () => {
    const { id } = await harness.application()
    const scopesWith = async (scopes: KeyScope[] | null) =>
      (await callerOf(await signInWithKey(id, scopes))).session?.keyScopes
    expect(await scopesWith(['vehicles:write', 'sessions:write', 'trips:read'])).toEqual([
      'vehicles:read',
      'trips:read',
      'vehicles:write',
      'sessions:write',
    ])
    // A key without scopes may do everything except what requires admin.
    expect(await scopesWith(null)).toEqual(keyScopes.filter((scope) => scope !== 'admin'))
    expect(await scopesWith([...keyScopes])).toEqual(keyScopes)
  })

  test('a session loses what its key loses, and ends with it', async () => {
    const { id: connectionId, applicationId } = await harness.link()
    const person = await signInWithKey(applicationId, ['connections:write', 'sessions:write'])
    const archive = () => mutate(person, 'archiveConnection', { connectionId })
    expect((await archive()).errors).toBeUndefined()
    await harness.set('api_keys', person.key.key.id, {
      scopes: JSON.stringify(['connections:read', 'sessions:write']),
    })
    const refused = await archive()
    expect([codeOf(refused), missingScopeIn(refused)]).toEqual(['FORBIDDEN', 'connections:write'])
    expect(refused.errors?.[0]?.message).toBe('Your session as ADMIN has no scope connections:write.')
    await harness.set('api_keys', person.key.key.id, { revokedAt: harness.tools.clock.now() })
    await expect(callerOf(person)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('no session creates another, which would outlive it', async () => {
    const { id } = await harness.application()
    for (const admin of [await signInWithKey(id, [...keyScopes]), await signIn(id, ADMIN)]) {
      const refusal = { code: 'forbidden', message: 'A session cannot create another.' }
      await expect(dashboardSessions(deps()).create(await callerOf(admin))).rejects.toMatchObject(refusal)
      const answer = await execute(admin, 'mutation { createSession(input: {}) { token } }')
      expect([codeOf(answer), answer.errors?.[0]?.message]).toEqual(['FORBIDDEN', refusal.message])
    }
  })

  test('no role reads connection tokens', async () => {
    const { applicationId } = await harness.link()
    for (const role of roles) {
      const answer = await execute(
        await signIn(applicationId, role),
        '{ connections { nodes { id token } } }',
      )
      expect([role, codeOf(answer)]).toEqual([role, 'FORBIDDEN'])
    }
  })

  test('no role reads connection tokens in the bodies of webhook deliveries', async () => {
    const { applicationId } = await harness.link()
    const events = await harness.db.rows<EventRow>(
      "SELECT `id` FROM `events` WHERE `applicationId` = ? AND `type` LIKE 'connection.%'",
      [applicationId],
    )
    const { webhookDelivery: id } = await seedWebhooks(
      harness.db,
      asRow<SeededApplication>({
        id: applicationId,
        connections: [asRow<SeededApplication['connections'][0]>({ events })],
      }),
    )
    const text = `{ webhookDelivery(id: "${id}") { attempts { request { body } } } }`
    for (const role of roles) {
      const { data, errors } = await execute(await signIn(applicationId, role), text)
      expect([role, errors]).toEqual([role, undefined])
      expect(JSON.stringify(data)).toContain('connection')
      expect(JSON.stringify(data)).not.toMatch(/con_tkn_|linkUrl/)
    }
  })

  test('an admin needs to force the end of the last key with the scope admin', async () => {
    const { id } = await harness.application()
    const { key } = await seedKey(harness.db, id, { scopes: ['admin'] })
    await harness.db.transaction((tx) =>
      tx.run('UPDATE `api_keys` SET `revokedAt` = 1 WHERE `applicationId` = ? AND `id` <> ?', [id, key.id]),
    )
    const admin = await signIn(id, ADMIN)
    expect(codeOf(await mutate(admin, 'revokeKey', { keyId: key.id }))).toBe('UNPROCESSABLE_ENTITY')
    expect((await mutate(admin, 'revokeKey', { keyId: key.id, force: true })).errors).toBeUndefined()
  })

  test('the session and its person are shown to the page, and the name stays in the audit log', async () => {
    const { id: connectionId, applicationId } = await harness.link()
    const ada = await signIn(applicationId, OPERATOR, 'Ada Byron')
    const viewer = await execute(ada, '{ viewer { kind role name sessionScopes scopes } }')
    expect(viewer.data).toEqual({
      viewer: {
        kind: 'SESSION',
        role: OPERATOR,
        name: 'Ada Byron',
        sessionScopes: null,
        scopes: keyScopes
          .filter((scope) => permits(OPERATOR, scope))
          .map((scope) => scope.toUpperCase().replace(':', '_')),
      },
    })
    await mutate(ada, 'archiveConnection', { connectionId })
    await harness.db.transaction((tx) => tx.run('DELETE FROM `sessions` WHERE `id` = ?', [ada.sessionId]))
    const admin = await signIn(applicationId, ADMIN)
    const log = await execute(
      admin,
      '{ auditLog(action: "connection.archived") { nodes { actor { kind id name } } } }',
    )
    expect(log.data).toEqual({
      auditLog: { nodes: [{ actor: { kind: 'SESSION', id: ada.sessionId, name: 'Ada Byron' } }] },
    })
    const stored = await execute(admin, '{ sessions { nodes { name role } } }')
    expect(stored.data).toEqual({ sessions: { nodes: [{ name: null, role: ADMIN }] } })
  })
})

const argumentValues: Readonly<Record<string, string>> = {
  ID: `"${unknownId('vehicle')}"`,
  ids: '[]',
}

/** Returns the required arguments of a query with values that name no record. */
function argumentsOf(name: string, args: readonly GraphQLArgument[]): string {
  const required = requiredArguments[name]?.replace(/, $/, '')
  if (required !== undefined) return `(${required})`
  // Without an id, it reads the connection of a connection token.
  if (name === 'connection') return `(id: ${argumentValues['ID']})`
  const given = args
    .filter(isRequiredArgument)
    .map((arg) => `${arg.name}: ${argumentValues[arg.name] ?? argumentValues[getNamedType(arg.type).name]}`)
  return given.length === 0 ? '' : `(${given.join(', ')})`
}
