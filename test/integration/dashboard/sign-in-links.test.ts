import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { authenticator, keyHolder } from '../../../src/auth/caller.ts'
import type { KeyScope } from '../../../src/auth/key-scopes.ts'
import { SessionRole } from '../../../src/auth/session-roles.ts'
import { sessionTokens } from '../../../src/auth/session-tokens.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import { createSignInLink } from '../../../src/subgraphs/connections/sessions/create-sign-in-link.ts'
import { revokeSession } from '../../../src/subgraphs/connections/sessions/revoke-session.ts'
import { dashboardSessions } from '../../../src/subgraphs/connections/sessions/dashboard-sessions.ts'
import { openSignInLink } from '../../../src/subgraphs/connections/sessions/open-sign-in-link.ts'
import { AuditEntry, operatorActor } from '../../../src/subgraphs/tables/audit-log.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import {
  dialects,
  masterEncryption,
  NOON,
  seedApplication,
  temporaryDatabase,
} from '../../support/factories.ts'

const HOUR = 3_600_000

describe.each(dialects)('a sign-in link on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let applicationId: string
  let now: number
  const clock = { now: () => now }

  beforeEach(async () => {
    db = await temporaryDatabase(dialect)
    applicationId = (await seedApplication(db, [])).id
    now = NOON
  })
  afterEach(() => db[Symbol.asyncDispose]())

  const createLink = (name: string | null = null) =>
    createSignInLink({ db, clock }, { applicationId, name, role: SessionRole.VIEWER, actor: operatorActor })
  const open = (code: string) => openSignInLink({ db, secrets: masterEncryption, clock }, code)
  const callerOf = (token: string) =>
    authenticator(callerLookups(db), { tokens: sessionTokens(masterEncryption, clock), clock })({
      authorization: `Bearer ${token}`,
    })

  test('opens a session of its application for a day from the sign-in', async () => {
    const { code, session } = await createLink('Ada Byron')
    now += HOUR - 1
    const opened = await open(code)
    expect(opened.session).toMatchObject({ id: session.id, name: 'Ada Byron', expiresAt: now + 24 * HOUR })
    expect(await callerOf(opened.token)).toMatchObject({ applicationId, connectionIds: null, key: null })
    now += 24 * HOUR - 1
    await callerOf(opened.token)
    now += 1
    await expect(callerOf(opened.token)).rejects.toThrow('not authenticated')
  })

  test('expires after an hour', async () => {
    const { code } = await createLink()
    now += HOUR
    await expect(open(code)).rejects.toThrow('was used before, or it has expired')
  })

  test('ends when its session is revoked', async () => {
    const { code, session } = await createLink()
    const deps = { db, clock, notifier: createInProcessNotifier() }
    await revokeSession(deps, keyHolder(applicationId), { sessionId: session.id })
    await expect(open(code)).rejects.toThrow('was used before, or it has expired')
  })

  test('opens one session if twenty people use it at the same time', async () => {
    const { code } = await createLink()
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => open(code)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is not needed by a secret key that may create sessions', async () => {
    const deps = { db, clock, secrets: masterEncryption, notifier: createInProcessNotifier() }
    const sessions = dashboardSessions(deps)
    const holder = (scopes: readonly KeyScope[]) =>
      keyHolder(applicationId, null, { id: newId('key'), scopes, expiresAt: null })
    await expect(sessions.create(holder(['vehicles:read']))).rejects.toMatchObject({
      code: 'forbidden',
      detail: expect.stringContaining('sessions:write'),
    })
    const { session } = await sessions.create(holder(['vehicles:read', 'sessions:write']))
    expect(session).toMatchObject({
      scopes: ['READ_FLEET'],
      expiresAt: now + 24 * HOUR,
      signInCodeHash: null,
    })
  })

  test('is stored as a hash, and its use is audited', async () => {
    const { code, session } = await createLink('Ada Byron')
    const { token } = await open(code)
    const rows = await db.rows<Record<string, unknown>>('SELECT * FROM `sessions`', [])
    const table = tableOf(AuditEntry)
    const entries = (
      await db.rows<Record<string, unknown>>(
        `SELECT ${table.selected} FROM \`audit_log\` ORDER BY \`id\``,
        [],
      )
    ).map((row) => table.toRow(row))
    expect(entries.map(({ action, targetId, actorKind }) => [action, targetId, actorKind])).toEqual([
      ['session.created', session.id, 'operator'],
      ['session.signed_in', session.id, 'session'],
    ])
    expect(entries[0]?.detail).toMatchObject({ name: 'Ada Byron' })
    for (const secret of [code, token]) expect(JSON.stringify([rows, entries])).not.toContain(secret)
  })
})
