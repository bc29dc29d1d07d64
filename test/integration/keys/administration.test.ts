import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticator, type Caller, keyHolder } from '../../../src/auth/caller.ts'
import { sessionTokens } from '../../../src/auth/session-tokens.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { AuditEntry } from '../../../src/subgraphs/tables/audit-log.ts'
import { accessLookups } from '../../../src/subgraphs/connections/applications/access-lookups.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import { systemClock } from '../../../src/domain/time.ts'
import {
  dialects,
  masterBox,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
} from '../../support/factories.ts'
import { type Answer, ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { sessionOver } from '../../support/session-rows.ts'
import { adminOf, seedKey } from '../../support/key-rows.ts'

const engine = createInProcessExecutor(supergraph)
const KEY = 'id use name hint scopes createdAt lastUsedAt expiresAt revokedAt'
const CREATE = `mutation ($input: CreateKeyInput!) { createKey(input: $input) { value key { ${KEY} } } }`
const ROTATE = `mutation ($input: RotateKeyInput!) { rotateKey(input: $input) { value key { ${KEY} } previous { ${KEY} } } }`
const REVOKE = `mutation ($input: RevokeKeyInput!) { revokeKey(input: $input) { key { ${KEY} } } }`
const UPDATE = `mutation ($input: UpdateApplicationInput!) { updateApplication(input: $input) { application { name linkOrigins agreementUrl merging } } }`
const SESSION =
  'mutation ($input: CreateSessionInput!) { createSession(input: $input) { token session { id } } }'

interface Told {
  readonly id: string
  readonly scopes: string[] | null
  readonly name: string | null
  readonly hint: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
}

interface Made {
  readonly value: string
  readonly key: Told
  readonly previous: Told
}

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let planted: SeededApplication
  let other: SeededApplication
  let admin: Caller
  const tokens = sessionTokens(masterBox, systemClock)
  const notifier = createInProcessNotifier()

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    planted = await seedApplication(db, [() => ({})])
    other = await seedApplication(db, [() => ({})])
    admin = adminOf(planted.id, (await seedKey(db, planted.id, { scopes: ['admin'] })).key.id)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const answerTo = (as: Caller, text: string, input: object = {}): Promise<Answer> =>
    ask(engine, contextsOver(db, notifier), {
      party: { ...planted.party, as },
      document: documentOf(text),
      variables: { input },
    })

  async function done<Payload>(field: string, text: string, input: object, as = admin): Promise<Payload> {
    const { data, errors } = await answerTo(as, text, input)
    if (errors) throw new Error(JSON.stringify(errors))
    return (data as Record<string, Payload>)[field]!
  }

  const refusal = async (text: string, input: object, as = admin) => {
    const { errors: [error] = [] } = await answerTo(as, text, input)
    return [error?.extensions?.code, error?.message] as const
  }

  /** Whoever asks with it now, found in the tables. */
  const known = (bearer: string) =>
    authenticator(callerLookups(db), { tokens })({ authorization: `Bearer ${bearer}` })

  const acts = async (action: string) => {
    const table = tableOf(AuditEntry)
    const rows = await db.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`audit_log\` WHERE \`applicationId\` = ? AND \`action\` = ? ORDER BY \`id\``,
      [planted.id, action],
    )
    return rows.map((row) => table.toRow(row))
  }

  test('a key is made with scopes, told once, remembered, and may do what they say', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const input = { name: 'Reports', scopes: ['hos:read', 'vehicles:read', 'hos:read'], expiresAt }
    const { key, value } = await done<Made>('createKey', CREATE, input)
    expect(key).toMatchObject({
      name: 'Reports',
      scopes: ['vehicles:read', 'hos:read'],
      expiresAt,
      revokedAt: null,
    })
    expect([value.slice(0, 11), value.slice(-4)]).toEqual(['sk_sandbox_', key.hint])
    const scopes = ['vehicles:read', 'hos:read']
    expect(await known(value)).toEqual(keyHolder(planted.id, null, { id: key.id, scopes: scopes as never }))
    await expect(known(value.replace('_sandbox_', '_prod_'))).rejects.toThrow('not authenticated')
    const [act] = (await acts('key.created')).slice(-1)
    expect(act).toMatchObject({ actorKind: 'key', actorId: admin.key!.id, targetId: key.id })
    const listed = await answerTo(admin, `{ keys { nodes { ${KEY} } } }`)
    for (const told of [listed, act]) expect(JSON.stringify(told)).not.toMatch(/[sp]k_(sandbox|prod)_/)
    expect(JSON.stringify(listed)).toContain(key.id)
    const publishable = await done<Made>('createKey', CREATE, { use: 'PUBLISHABLE' })
    expect(publishable.value).toMatch(/^pk_sandbox_/)
    await expect(known(publishable.value)).rejects.toMatchObject({
      detail: expect.stringContaining('publishable'),
    })
  })

  test.each([
    [{ scopes: ['vehicles:fly'] }, 'There is no scope `vehicles:fly`'],
    [{ scopes: [] }, 'Name a scope'],
    [{ scopes: ['hos:read'], use: 'PUBLISHABLE' }, 'A publishable key has no scopes'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, '`expiresAt` must be in the future.'],
    [{ name: 'n'.repeat(256) }, '`name` may have 255 characters at most.'],
  ])('a wish of %j is refused', async (input, message) => {
    const before = (await acts('key.created')).length
    expect(await refusal(CREATE, input)).toEqual(['BAD_USER_INPUT', expect.stringContaining(message)])
    expect((await acts('key.created')).length).toBe(before)
  })

  test('a rotated key has its like at once, and both are good for the overlap', async () => {
    const made = await done<Made>('createKey', CREATE, { name: 'Web', scopes: ['trips:read'] })
    const rotated = await done<Made>('rotateKey', ROTATE, { keyId: made.key.id })
    expect(rotated.key).toMatchObject({ name: 'Web', scopes: ['trips:read'], expiresAt: null })
    expect(rotated.value).not.toBe(made.value)
    const left = Date.parse(rotated.previous.expiresAt!) - Date.now()
    expect([left > 86_000_000, left <= 86_400_000]).toEqual([true, true])
    for (const value of [made.value, rotated.value])
      expect((await known(value)).key?.scopes).toEqual(['trips:read'])
    expect((await acts('key.rotated')).at(-1)).toMatchObject({
      targetId: made.key.id,
      detail: { replacedBy: rotated.key.id },
    })
    await done('rotateKey', ROTATE, { keyId: made.key.id, overlapSeconds: 0 })
    await expect(known(made.value)).rejects.toMatchObject({ detail: 'The secret key has expired.' })
    expect(await refusal(ROTATE, { keyId: made.key.id })).toEqual([
      'UNPROCESSABLE_ENTITY',
      expect.stringContaining('expired'),
    ])
    expect(await refusal(ROTATE, { keyId: rotated.key.id, overlapSeconds: -1 })).toEqual([
      'BAD_USER_INPUT',
      expect.anything(),
    ])
  })

  test('a session has no more than the key that made it, and ends with it', async () => {
    const made = await done<Made>('createKey', CREATE, { scopes: ['sessions:write', 'vehicles:read'] })
    const maker = await known(made.value)
    const session = async () =>
      await done<{ token: string; session: { id: string } }>('createSession', SESSION, {}, maker)
    const first = await session()
    const caller = await known(first.token)
    expect(caller.session).toMatchObject({ keyScopes: ['vehicles:read', 'sessions:write'] })
    const live = async () => (await accessLookups(db).activeSessions([first.session.id])).size
    expect(await live()).toBe(1)
    const { previous } = await done<Made>('rotateKey', ROTATE, { keyId: made.key.id, overlapSeconds: 60 })
    expect((await known(first.token)).session?.expiresAt).toBe(Date.parse(previous.expiresAt!))
    await done('revokeKey', REVOKE, { keyId: made.key.id })
    for (const token of [first.token, made.value])
      await expect(known(token)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await live()).toBe(0)
    expect((await acts('key.revoked')).filter(({ targetId }) => targetId === made.key.id)).toHaveLength(1)
  })

  test('a session is made with no scope that its key lacks, and the refusal names it', async () => {
    const makerWith = async (scopes: string[]) =>
      known((await done<Made>('createKey', CREATE, { scopes: ['sessions:write', ...scopes] })).value)
    const sessions = () => db.rows('SELECT `id` FROM `sessions`')
    const scopesOf = async (maker: Caller, input: object) => {
      const text = SESSION.replace('session { id }', 'session { scopes }')
      const { session } = await done<{ session: { scopes: string[] } }>('createSession', text, input, maker)
      return session.scopes
    }
    const narrow = await makerWith(['vehicles:read', 'syncs:write'])
    expect(await scopesOf(narrow, {})).toEqual(['READ_CONNECTIONS', 'READ_FLEET'])
    expect(await scopesOf(narrow, { scopes: ['READ_FLEET'] })).toEqual(['READ_FLEET'])

    const before = (await sessions()).length
    const { errors: [error] = [] } = await answerTo(narrow, SESSION, {
      scopes: ['READ_FLEET', 'READ_EVENTS'],
    })
    expect(error).toMatchObject({
      message: 'The secret key cannot give a session the scope READ_EVENTS.',
      extensions: { code: 'FORBIDDEN', detail: 'Missing scope: events:read' },
    })
    expect((await refusal(SESSION, { scopes: ['READ_TELEMETRY'] }, narrow))[0]).toBe('FORBIDDEN')
    expect((await refusal(SESSION, {}, await makerWith(['webhooks:read'])))[0]).toBe('FORBIDDEN')
    expect((await sessions()).length).toBe(before)
    const all = keyHolder(planted.id, null, { id: narrow.key!.id, scopes: null })
    expect(await scopesOf(all, {})).toHaveLength(5)
  })

  test('the last admin key is not revoked by itself, unless it insists', async () => {
    const alone = await seedApplication(db, [])
    const { key } = await seedKey(db, alone.id, { scopes: ['admin'] })
    const expired = await seedKey(db, alone.id, { scopes: ['admin'], expiresAt: Date.now() - 1 })
    const itself = adminOf(alone.id, key.id)
    expect(await refusal(REVOKE, { keyId: key.id }, itself)).toEqual([
      'UNPROCESSABLE_ENTITY',
      expect.stringContaining('`force`'),
    ])
    await done('revokeKey', REVOKE, { keyId: expired.key.id }, itself)
    await done('revokeKey', REVOKE, { keyId: key.id, force: true }, itself)
    expect(await refusal(REVOKE, { keyId: key.id, force: true }, itself)).toEqual([
      'UNPROCESSABLE_ENTITY',
      'The key is revoked already.',
    ])
  })

  test('who has no admin key, a connection or a session administers nothing', async () => {
    const { key } = await seedKey(db, planted.id)
    const acts: [string, object][] = [
      ['{ application { id } }', {}],
      ['{ keys { nodes { id } } }', {}],
      [CREATE, {}],
      [ROTATE, { keyId: key.id }],
      [REVOKE, { keyId: key.id }],
      [UPDATE, { name: 'Mine' }],
    ]
    const connection = keyHolder(planted.id, planted.connections[0]!.connection.id, admin.key)
    const plain = keyHolder(planted.id, null, { id: key.id, scopes: null })
    for (const as of [connection, plain, sessionOver(planted, null).as!])
      for (const [text, input] of acts)
        expect([text, (await refusal(text, input, as))[0]]).toEqual([text, 'FORBIDDEN'])
    const theirs = adminOf(other.id)
    for (const [text, input] of acts.slice(3, 5)) {
      const unknown = await refusal(text, { keyId: 'key_nobodys' }, theirs)
      expect([text, await refusal(text, input, theirs)]).toEqual([text, unknown])
      expect(unknown[0]).toBe('NOT_FOUND')
    }
  })

  test('settings of the application are changed, each act of it remembered once', async () => {
    const input = {
      name: 'Acme',
      linkOrigins: ['https://App.example.com/', 'http://localhost:3000', 'https://app.example.com:443'],
      agreementUrl: 'https://example.com/terms?v=2',
      merging: true,
    }
    const after = await done<{ application: object }>('updateApplication', UPDATE, input)
    const linkOrigins = ['https://app.example.com', 'http://localhost:3000']
    expect(after.application).toEqual({ ...input, linkOrigins })
    await done('updateApplication', UPDATE, { merging: true })
    const [act, ...others] = await acts('application.updated')
    expect(others).toEqual([])
    expect(act?.detail).toEqual({ changed: ['name', 'linkOrigins', 'agreementUrl', 'mergesConnections'] })
    const read = await answerTo(
      admin,
      '{ application { id environment name linkOrigins agreementUrl merging createdAt } }',
    )
    expect(read.data?.['application']).toMatchObject({
      id: planted.id,
      environment: 'SANDBOX',
      linkOrigins,
      merging: true,
    })
    const back = { linkOrigins: null, agreementUrl: null, merging: null }
    const { application } = await done<{ application: object }>('updateApplication', UPDATE, back)
    expect(application).toEqual({ name: 'Acme', linkOrigins: [], agreementUrl: null, merging: false })
  })

  test.each([
    [{ linkOrigins: ['https://example.com/path'] }, 'A link origin is like'],
    [{ linkOrigins: ['javascript:alert(1)'] }, 'A link origin is like'],
    [{ linkOrigins: ['https://user@example.com'] }, 'A link origin is like'],
    [{ linkOrigins: ['https://*.example.com'] }, 'A link origin is like'],
    [{ linkOrigins: ['null'] }, 'A link origin is like'],
    [{ linkOrigins: ['http://example.com'] }, 'A link origin begins with https://;'],
    [{ agreementUrl: 'http://example.com/terms' }, '`agreementUrl` must be'],
    [{ name: ' ' }, '`name` may not be empty.'],
  ])('settings of %j are refused', async (input, message) => {
    expect(await refusal(UPDATE, input)).toEqual(['BAD_USER_INPUT', expect.stringContaining(message)])
  })

  test('in production an origin is never without TLS; accounts merge unless told', async () => {
    const { application } = await createApplication(db, {
      name: 'Real',
      environment: 'prod',
      now: Date.now(),
    })
    const as = adminOf(application.id)
    const { data } = await answerTo(as, '{ application { environment merging } }')
    expect(data?.['application']).toEqual({ environment: 'PROD', merging: true })
    const [code] = await refusal(UPDATE, { linkOrigins: ['http://localhost:3000'] }, as)
    expect(code).toBe('BAD_USER_INPUT')
    const { value } = await done<Made>('createKey', CREATE, { use: 'PUBLISHABLE' }, as)
    expect(value).toMatch(/^pk_prod_/)
  })

  test('fleets are sent to sign in with the newest publishable key that is good', async () => {
    const expired = await seedKey(db, other.id, { use: 'publishable', expiresAt: Date.now() - 1 })
    const text = '{ connections { nodes { linkUrl } } }'
    const ask = async () => JSON.stringify((await answerTo(keyHolder(other.id), text)).data)
    expect(await ask()).not.toContain(expired.value)
    const good = await seedKey(db, other.id, { use: 'publishable', expiresAt: Date.now() + 60_000 })
    expect(await ask()).toContain(good.value)
  })
})
