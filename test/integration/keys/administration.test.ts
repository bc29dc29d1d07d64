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
  masterEncryption,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
} from '../../support/factories.ts'
import { type Answer, ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { sessionOver } from '../../support/rows/session-rows.ts'
import { adminOf, seedKey } from '../../support/rows/key-rows.ts'

const executor = createInProcessExecutor(supergraph)
const KEY = 'id use name hint scopes createdAt lastUsedAt expiresAt revokedAt'
const CREATE = `mutation ($input: CreateKeyInput!) { createKey(input: $input) { value key { ${KEY} } } }`
const ROTATE = `mutation ($input: RotateKeyInput!) { rotateKey(input: $input) { value key { ${KEY} } previous { ${KEY} } } }`
const REVOKE = `mutation ($input: RevokeKeyInput!) { revokeKey(input: $input) { key { ${KEY} } } }`
const UPDATE = `mutation ($input: UpdateApplicationInput!) { updateApplication(input: $input) { application { name linkOrigins agreementUrl merging allowsSandbox } } }`
const SESSION =
  'mutation ($input: CreateSessionInput!) { createSession(input: $input) { token session { id } } }'

interface KeyView {
  readonly id: string
  readonly scopes: string[] | null
  readonly name: string | null
  readonly hint: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
}

interface CreatedKey {
  readonly value: string
  readonly key: KeyView
  readonly previous: KeyView
}

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let seeded: SeededApplication
  let other: SeededApplication
  let admin: Caller
  const tokens = sessionTokens(masterEncryption, systemClock)
  const notifier = createInProcessNotifier()

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    seeded = await seedApplication(db, [() => ({})])
    other = await seedApplication(db, [() => ({})])
    admin = adminOf(seeded.id, (await seedKey(db, seeded.id, { scopes: ['admin'] })).key.id)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const execute = (caller: Caller, text: string, input: object = {}): Promise<Answer> =>
    ask(executor, contextsOver(db, notifier), {
      client: { ...seeded.client, caller },
      document: documentOf(text),
      variables: { input },
    })

  async function mutate<Payload>(
    field: string,
    text: string,
    input: object,
    caller = admin,
  ): Promise<Payload> {
    const { data, errors } = await execute(caller, text, input)
    if (errors) throw new Error(JSON.stringify(errors))
    return (data as Record<string, Payload>)[field]!
  }

  const errorOf = async (text: string, input: object, caller = admin) => {
    const { errors: [error] = [] } = await execute(caller, text, input)
    return [error?.extensions?.code, error?.message] as const
  }

  /** Authenticates a bearer token against the tables. */
  const authenticate = (bearer: string) =>
    authenticator(callerLookups(db), { tokens })({ authorization: `Bearer ${bearer}` })

  const auditEntries = async (action: string) => {
    const table = tableOf(AuditEntry)
    const rows = await db.rows<Record<string, unknown>>(
      `SELECT ${table.selected} FROM \`audit_log\` WHERE \`applicationId\` = ? AND \`action\` = ? ORDER BY \`id\``,
      [seeded.id, action],
    )
    return rows.map((row) => table.toRow(row))
  }

  test('createKey returns the value once and stores the scopes', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const input = { name: 'Reports', scopes: ['HOS_READ', 'VEHICLES_READ', 'HOS_READ'], expiresAt }
    const { key, value } = await mutate<CreatedKey>('createKey', CREATE, input)
    expect(key).toMatchObject({
      name: 'Reports',
      scopes: ['VEHICLES_READ', 'HOS_READ'],
      expiresAt,
      revokedAt: null,
    })
    expect([value.slice(0, 11), value.slice(-4)]).toEqual(['sk_sandbox_', key.hint])
    expect(await authenticate(value)).toEqual(
      keyHolder(seeded.id, null, {
        id: key.id,
        scopes: ['vehicles:read', 'hos:read'],
        expiresAt: Date.parse(expiresAt),
      }),
    )
    await expect(authenticate(value.replace('_sandbox_', '_prod_'))).rejects.toThrow('not authenticated')
    const [entry] = (await auditEntries('key.created')).slice(-1)
    expect(entry).toMatchObject({ actorKind: 'key', actorId: admin.key!.id, targetId: key.id })
    const listed = await execute(admin, `{ keys { nodes { ${KEY} } } }`)
    for (const stored of [listed, entry]) expect(JSON.stringify(stored)).not.toMatch(/[sp]k_(sandbox|prod)_/)
    expect(JSON.stringify(listed)).toContain(key.id)
    const publishable = await mutate<CreatedKey>('createKey', CREATE, { use: 'PUBLISHABLE' })
    expect(publishable.value).toMatch(/^pk_sandbox_/)
    await expect(authenticate(publishable.value)).rejects.toMatchObject({
      detail: expect.stringContaining('publishable'),
    })
  })

  test.each([
    [{ scopes: ['VEHICLES_FLY'] }, 'Value "VEHICLES_FLY" does not exist in "KeyScope" enum.'],
    [{ scopes: [] }, '`scopes` must contain at least one scope'],
    [{ scopes: ['HOS_READ'], use: 'PUBLISHABLE' }, 'A publishable key has no scopes'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, '`expiresAt` must be in the future.'],
    [{ name: 'n'.repeat(256) }, '`name` may have 255 characters at most.'],
  ])('createKey refuses %j', async (input, message) => {
    const before = (await auditEntries('key.created')).length
    expect(await errorOf(CREATE, input)).toEqual(['BAD_USER_INPUT', expect.stringContaining(message)])
    expect((await auditEntries('key.created')).length).toBe(before)
  })

  test('rotateKey creates a key with the same name and scopes, and both are valid during the overlap', async () => {
    const created = await mutate<CreatedKey>('createKey', CREATE, { name: 'Web', scopes: ['TRIPS_READ'] })
    const rotated = await mutate<CreatedKey>('rotateKey', ROTATE, { keyId: created.key.id })
    expect(rotated.key).toMatchObject({ name: 'Web', scopes: ['TRIPS_READ'], expiresAt: null })
    expect(rotated.value).not.toBe(created.value)
    const remainingMs = Date.parse(rotated.previous.expiresAt!) - Date.now()
    expect([remainingMs > 86_000_000, remainingMs <= 86_400_000]).toEqual([true, true])
    for (const value of [created.value, rotated.value])
      expect((await authenticate(value)).key?.scopes).toEqual(['trips:read'])
    expect((await auditEntries('key.rotated')).at(-1)).toMatchObject({
      targetId: created.key.id,
      detail: { replacedBy: rotated.key.id },
    })
    await mutate('rotateKey', ROTATE, { keyId: created.key.id, overlapSeconds: 0 })
    await expect(authenticate(created.value)).rejects.toMatchObject({ detail: 'The secret key has expired.' })
    expect(await errorOf(ROTATE, { keyId: created.key.id })).toEqual([
      'UNPROCESSABLE_ENTITY',
      expect.stringContaining('expired'),
    ])
    expect(await errorOf(ROTATE, { keyId: rotated.key.id, overlapSeconds: -1 })).toEqual([
      'BAD_USER_INPUT',
      expect.anything(),
    ])
  })

  test('a session has only scopes of its key and ends with the key', async () => {
    const created = await mutate<CreatedKey>('createKey', CREATE, {
      scopes: ['SESSIONS_WRITE', 'VEHICLES_READ'],
    })
    const creator = await authenticate(created.value)
    const session = async () =>
      await mutate<{ token: string; session: { id: string } }>('createSession', SESSION, {}, creator)
    const first = await session()
    const caller = await authenticate(first.token)
    expect(caller.session).toMatchObject({ keyScopes: ['vehicles:read', 'sessions:write'] })
    const activeSessions = async () => (await accessLookups(db).activeSessions([first.session.id])).size
    expect(await activeSessions()).toBe(1)
    const { previous } = await mutate<CreatedKey>('rotateKey', ROTATE, {
      keyId: created.key.id,
      overlapSeconds: 60,
    })
    expect((await authenticate(first.token)).session?.expiresAt).toBe(Date.parse(previous.expiresAt!))
    await mutate('revokeKey', REVOKE, { keyId: created.key.id })
    for (const token of [first.token, created.value])
      await expect(authenticate(token)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await activeSessions()).toBe(0)
    expect(
      (await auditEntries('key.revoked')).filter(({ targetId }) => targetId === created.key.id),
    ).toHaveLength(1)
  })

  test('createSession refuses a scope that the key lacks, and names the scope', async () => {
    const creatorWith = async (scopes: string[]) =>
      authenticate(
        (await mutate<CreatedKey>('createKey', CREATE, { scopes: ['SESSIONS_WRITE', ...scopes] })).value,
      )
    const sessions = () => db.rows('SELECT `id` FROM `sessions`')
    const scopesOf = async (creator: Caller, input: object) => {
      const text = SESSION.replace('session { id }', 'session { scopes }')
      const { session } = await mutate<{ session: { scopes: string[] } }>(
        'createSession',
        text,
        input,
        creator,
      )
      return session.scopes
    }
    const narrow = await creatorWith(['VEHICLES_READ', 'SYNCS_WRITE'])
    expect(await scopesOf(narrow, {})).toEqual(['READ_CONNECTIONS', 'READ_FLEET'])
    expect(await scopesOf(narrow, { scopes: ['READ_FLEET'] })).toEqual(['READ_FLEET'])

    const before = (await sessions()).length
    const { errors: [error] = [] } = await execute(narrow, SESSION, {
      scopes: ['READ_FLEET', 'READ_EVENTS'],
    })
    expect(error).toMatchObject({
      message: 'The secret key cannot give a session the scope READ_EVENTS.',
      extensions: { code: 'FORBIDDEN', detail: 'Missing scope: events:read' },
    })
    expect((await errorOf(SESSION, { scopes: ['READ_TELEMETRY'] }, narrow))[0]).toBe('FORBIDDEN')
    expect((await errorOf(SESSION, {}, await creatorWith(['WEBHOOKS_READ'])))[0]).toBe('FORBIDDEN')
    expect((await sessions()).length).toBe(before)
    const unrestricted = keyHolder(seeded.id, null, { id: narrow.key!.id, scopes: null, expiresAt: null })
    expect(await scopesOf(unrestricted, {})).toHaveLength(5)
  })

  test('the last admin key can revoke itself only with force', async () => {
    const owner = await seedApplication(db, [])
    const { key } = await seedKey(db, owner.id, { scopes: ['admin'] })
    const expired = await seedKey(db, owner.id, { scopes: ['admin'], expiresAt: Date.now() - 1 })
    const lastAdmin = adminOf(owner.id, key.id)
    expect(await errorOf(REVOKE, { keyId: key.id }, lastAdmin)).toEqual([
      'UNPROCESSABLE_ENTITY',
      expect.stringContaining('`force`'),
    ])
    await mutate('revokeKey', REVOKE, { keyId: expired.key.id }, lastAdmin)
    await mutate('revokeKey', REVOKE, { keyId: key.id, force: true }, lastAdmin)
    expect(await errorOf(REVOKE, { keyId: key.id, force: true }, lastAdmin)).toEqual([
      'UNPROCESSABLE_ENTITY',
      'The key is already revoked.',
    ])
  })

  test('a connection token, a session and a key without the admin scope get FORBIDDEN', async () => {
    const { key } = await seedKey(db, seeded.id)
    const operations: [string, object][] = [
      ['{ application { id } }', {}],
      ['{ keys { nodes { id } } }', {}],
      [CREATE, {}],
      [ROTATE, { keyId: key.id }],
      [REVOKE, { keyId: key.id }],
      [UPDATE, { name: 'Mine' }],
    ]
    const connection = keyHolder(seeded.id, seeded.connections[0]!.connection.id, admin.key)
    const withoutAdmin = keyHolder(seeded.id, null, { id: key.id, scopes: null, expiresAt: null })
    for (const caller of [connection, withoutAdmin, sessionOver(seeded, null).caller!])
      for (const [text, input] of operations)
        expect([text, (await errorOf(text, input, caller))[0]]).toEqual([text, 'FORBIDDEN'])
    const otherAdmin = adminOf(other.id)
    for (const [text, input] of operations.slice(3, 5)) {
      const unknown = await errorOf(text, { keyId: 'key_unknown' }, otherAdmin)
      expect([text, await errorOf(text, input, otherAdmin)]).toEqual([text, unknown])
      expect(unknown[0]).toBe('NOT_FOUND')
    }
  })

  test('updateApplication changes settings, and the audit log contains each change once', async () => {
    const input = {
      name: 'Acme',
      linkOrigins: ['https://App.example.com/', 'http://localhost:3000', 'https://app.example.com:443'],
      agreementUrl: 'https://example.com/terms?v=2',
      merging: true,
      allowsSandbox: false,
    }
    const after = await mutate<{ application: object }>('updateApplication', UPDATE, input)
    const linkOrigins = ['https://app.example.com', 'http://localhost:3000']
    expect(after.application).toEqual({ ...input, linkOrigins })
    await mutate('updateApplication', UPDATE, { merging: true })
    const [entry, ...others] = await auditEntries('application.updated')
    expect(others).toEqual([])
    expect(entry?.detail).toEqual({
      changed: ['name', 'linkOrigins', 'agreementUrl', 'mergesConnections', 'allowsSandbox'],
    })
    const read = await execute(
      admin,
      '{ application { id environment name linkOrigins agreementUrl merging createdAt } }',
    )
    expect(read.data?.['application']).toMatchObject({
      id: seeded.id,
      environment: 'SANDBOX',
      linkOrigins,
      merging: true,
    })
    const reset = { linkOrigins: null, agreementUrl: null, merging: null, allowsSandbox: null }
    const { application } = await mutate<{ application: object }>('updateApplication', UPDATE, reset)
    expect(application).toEqual({
      name: 'Acme',
      linkOrigins: [],
      agreementUrl: null,
      merging: false,
      allowsSandbox: true,
    })
  })

  test.each([
    [{ linkOrigins: ['https://example.com/path'] }, 'A link origin is like'],
    [{ linkOrigins: ['javascript:alert(1)'] }, 'A link origin is like'],
    [{ linkOrigins: ['https://user@example.com'] }, 'A link origin is like'],
    [{ linkOrigins: ['https://*.example.com'] }, 'A link origin is like'],
    [{ linkOrigins: ['null'] }, 'A link origin is like'],
    [{ linkOrigins: ['http://example.com'] }, 'A link origin begins with https://. An origin'],
    [{ agreementUrl: 'http://example.com/terms' }, '`agreementUrl` must be'],
    [{ name: ' ' }, '`name` must not be empty.'],
  ])('updateApplication refuses %j', async (input, message) => {
    expect(await errorOf(UPDATE, input)).toEqual(['BAD_USER_INPUT', expect.stringContaining(message)])
  })

  test('in production, link origins need TLS, accounts merge and the sandbox is not allowed by default', async () => {
    const { application } = await createApplication(db, {
      name: 'Real',
      environment: 'prod',
      now: Date.now(),
    })
    const caller = adminOf(application.id)
    const { data } = await execute(caller, '{ application { environment merging allowsSandbox } }')
    expect(data?.['application']).toEqual({ environment: 'PROD', merging: true, allowsSandbox: false })
    const [code] = await errorOf(UPDATE, { linkOrigins: ['http://localhost:3000'] }, caller)
    expect(code).toBe('BAD_USER_INPUT')
    const { value } = await mutate<CreatedKey>('createKey', CREATE, { use: 'PUBLISHABLE' }, caller)
    expect(value).toMatch(/^pk_prod_/)
  })

  test('linkUrl has the newest valid publishable key', async () => {
    const expired = await seedKey(db, other.id, { use: 'publishable', expiresAt: Date.now() - 1 })
    const text = '{ connections { nodes { linkUrl } } }'
    const linkUrls = async () => JSON.stringify((await execute(keyHolder(other.id), text)).data)
    expect(await linkUrls()).not.toContain(expired.value)
    const valid = await seedKey(db, other.id, { use: 'publishable', expiresAt: Date.now() + 60_000 })
    expect(await linkUrls()).toContain(valid.value)
  })
})
