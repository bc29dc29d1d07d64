import { SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Authenticate, authenticator, keyHolder } from '../../../src/auth/caller.ts'
import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import { SESSION_TOKEN_PREFIX, sessionTokens } from '../../../src/auth/session-tokens.ts'
import { type Notifier, createInProcessNotifier } from '../../../src/queue/notifier.ts'
import type { Database } from '../../../src/storage/database.ts'
import { accessTopic } from '../../../src/subgraphs/streams/topics.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import { revokeKey } from '../../../src/subgraphs/connections/applications/keys/revoke-key.ts'
import { revokeSession } from '../../../src/subgraphs/connections/sessions/revoke-session.ts'
import { systemClock } from '../../../src/domain/time.ts'
import {
  masterEncryption,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
} from '../../support/factories.ts'
import { seedSessions } from '../../support/rows/session-rows.ts'

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const encryptionWith = (...keys: Buffer[]) => createEncryption(() => keys)
const tokensWith = (...keys: Buffer[]) => sessionTokens(encryptionWith(...keys), systemClock)
const claims = { sessionId: 'ses_1', applicationId: 'app_1' }
const issueToken = (tokens = tokensWith(OLD), until = Date.now() + 60_000) =>
  tokens.issue(claims, Date.now() - 120_000, until)

describe('a session token', () => {
  test('is valid while its signing key is in use', async () => {
    const token = await issueToken()
    expect(await tokensWith(OLD).open(token)).toEqual(claims)
    expect(await tokensWith(NEW, OLD).open(token)).toEqual(claims)
    expect(await tokensWith(NEW).open(token)).toBe('unknown')
    expect(await tokensWith(OLD).open(await issueToken(tokensWith(NEW, OLD)))).toBe('unknown')
  })

  test('contains only the id and the application of its session', async () => {
    const token = await issueToken()
    expect(token.startsWith(SESSION_TOKEN_PREFIX)).toBe(true)
    const [, payload = ''] = token.slice(SESSION_TOKEN_PREFIX.length).split('.')
    const payloadClaims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    expect(Object.keys(payloadClaims).sort()).toEqual(['app', 'aud', 'exp', 'iat', 'iss', 'sub'])
  })

  test('expires', async () => {
    expect(await tokensWith(OLD).open(await issueToken(tokensWith(OLD), Date.now() - 1000))).toBe('expired')
  })

  test('is unknown if it is forged', async () => {
    const token = await issueToken()
    const [head = '', payload = '', signature = ''] = token.split('.')
    const other = Buffer.from('{"sub":"ses_2"}').toString('base64url')
    const [key = Buffer.alloc(0)] = encryptionWith(OLD).derive('cursors')
    const forged = (alg: string, signed: Buffer, kid: string) =>
      new SignJWT({ app: 'app_1' })
        .setProtectedHeader({ alg, kid })
        .setSubject('ses_1')
        .setIssuer('odograph')
        .setAudience('odograph sessions')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(signed)
    const { kid } = JSON.parse(
      Buffer.from(head.slice(SESSION_TOKEN_PREFIX.length), 'base64url').toString(),
    ) as { kid: string }
    const [right = Buffer.alloc(0)] = encryptionWith(OLD).derive('sessions')
    expect(await tokensWith(OLD).open(SESSION_TOKEN_PREFIX + (await forged('HS256', right, kid)))).toEqual(
      claims,
    )
    for (const token of [
      `${head}.${other}.${signature}`,
      `${head}.${payload}.${signature.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))}`,
      `${head}.${payload}.`,
      SESSION_TOKEN_PREFIX,
      `${SESSION_TOKEN_PREFIX}a.b.c`,
      SESSION_TOKEN_PREFIX + new UnsecuredJWT({ app: 'app_1' }).setSubject('ses_1').encode(),
      SESSION_TOKEN_PREFIX + (await forged('HS256', key, kid)),
      SESSION_TOKEN_PREFIX + (await forged('HS512', Buffer.alloc(64, 1), kid)),
      SESSION_TOKEN_PREFIX + (await forged('HS256', right, 'another')),
    ])
      expect([token, await tokensWith(OLD).open(token)]).toEqual([token, 'unknown'])
  })
})

describe('a cached caller', () => {
  let db: Database & AsyncDisposable
  let seeded: SeededApplication
  let notifier: Notifier
  let authenticate: Authenticate
  const tokens = sessionTokens(masterEncryption, systemClock)

  beforeEach(async () => {
    db = await temporaryDatabase('sqlite')
    seeded = await seedApplication(db, [() => ({})])
    notifier = createInProcessNotifier()
    authenticate = authenticator(callerLookups(db), {
      tokens,
      subscribe: (applicationId, listener) => notifier.subscribe(accessTopic(applicationId), listener),
    })
  })
  afterEach(() => db[Symbol.asyncDispose]())

  const key = () => ({ authorization: `Bearer ${seeded.secretKey}` })

  test.each(['undefined', 'null', '', '\n', '[]', '","'])(
    'is not reused for the same key with the connection token %j',
    async (connectionToken) => {
      await authenticate(key())
      await expect(authenticate({ ...key(), connectionToken })).rejects.toMatchObject({ code: 'forbidden' })
    },
  )

  test.each(['\n', ' ', '","', ','])('is not reused for a key and a token joined by %j', async (between) => {
    const { authorization } = key()
    const connectionToken = seeded.connections[0]!.token
    await authenticate({ authorization, connectionToken })
    const joined = { authorization: `${authorization}${between}${connectionToken}` }
    await expect(authenticate(joined)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  async function keyId(): Promise<string> {
    const [row] = await db.rows<{ id: string }>('SELECT `id` FROM `api_keys`')
    return row!.id
  }

  test('is dropped on the notification of a revoked key', async () => {
    expect(await authenticate(key())).toEqual(
      keyHolder(seeded.id, null, { id: await keyId(), scopes: null, expiresAt: null }),
    )
    const revoked = { keyId: await keyId() }
    await revokeKey(
      { db, clock: systemClock, notifier: createInProcessNotifier() },
      keyHolder(seeded.id),
      revoked,
    )
    expect(await authenticate(key())).toEqual(
      keyHolder(seeded.id, null, { id: await keyId(), scopes: null, expiresAt: null }),
    )
    notifier.notify(accessTopic('app_of_another'))
    expect(await authenticate(key())).toEqual(
      keyHolder(seeded.id, null, { id: await keyId(), scopes: null, expiresAt: null }),
    )
    notifier.notify(accessTopic(seeded.id))
    await expect(authenticate(key())).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('is not cached by a lookup that started before the key was revoked', async () => {
    let during = async () => {}
    const lookups = callerLookups(db)
    const slow = authenticator(
      {
        ...lookups,
        secretKey: async (hash) => {
          const found = await lookups.secretKey(hash)
          await during()
          return found
        },
      },
      { subscribe: (id, listener) => notifier.subscribe(accessTopic(id), listener) },
    )
    await slow(key())
    notifier.notify(accessTopic(seeded.id))
    const revoked = { keyId: await keyId() }
    during = async () => {
      during = async () => {}
      await revokeKey({ db, clock: systemClock, notifier }, keyHolder(seeded.id), revoked)
    }
    await slow(key())
    await expect(slow(key())).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('that is a session loses archived connections, and ends with the last', async () => {
    const two = await seedApplication(db, [() => ({}), () => ({})])
    const ids = two.connections.map(({ connection }) => connection.id)
    const [session] = await seedSessions(db, two.id, 1, { connectionIds: ids })
    const token = await tokens.issue(
      { sessionId: session!.id, applicationId: two.id },
      Date.now(),
      Date.now() + 60_000,
    )
    const credentials = { authorization: `Bearer ${token}` }
    expect((await authenticate(credentials)).connectionIds).toEqual(ids)
    for (const [at, id] of ids.entries()) {
      await db.transaction((tx) =>
        tx.run("UPDATE `connections` SET `status` = 'archived' WHERE `id` = ?", [id]),
      )
      notifier.notify(accessTopic(two.id))
      if (at === 0) expect((await authenticate(credentials)).connectionIds).toEqual([ids[1]])
      else await expect(authenticate(credentials)).rejects.toMatchObject({ code: 'forbidden' })
    }
  })

  test('that is a session is not found by a token with another application', async () => {
    const [session] = await seedSessions(db, seeded.id, 1)
    const tokenFor = (applicationId: string) =>
      tokens.issue({ sessionId: session!.id, applicationId }, Date.now(), Date.now() + 60_000)
    const authorization = `Bearer ${await tokenFor(seeded.id)}`
    expect((await authenticate({ authorization })).session?.id).toBe(session!.id)
    const other = await seedApplication(db, [])
    const foreign = { authorization: `Bearer ${await tokenFor(other.id)}` }
    await expect(authenticate(foreign)).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(authenticate({ authorization, connectionToken: 'con_tkn_x' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await revokeSession({ db, notifier, clock: systemClock }, keyHolder(seeded.id), {
      sessionId: session!.id,
    })
    await expect(authenticate({ authorization })).rejects.toMatchObject({ code: 'unauthorized' })
  })
})
