import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedAuditEntries } from '../../support/audit/audit-entries.ts'
import { seedApplication, type SeededApplication } from '../../support/factories.ts'
import { seedSessions } from '../../support/rows/session-rows.ts'
import { stores } from '../../support/database/stores.ts'
import { type CliHarness, openCliHarness } from '../../support/harnesses/cli-harness.ts'

interface Listed {
  readonly id: string
  readonly revokedAt: string | null
}

interface Link {
  readonly id: string
  readonly role: string
}

describe.each(stores)('sessions on %s', (store) => {
  let harness: CliHarness
  let ours: SeededApplication
  let theirs: SeededApplication

  beforeAll(async () => {
    harness = await openCliHarness(store)
    ours = await seedApplication(harness.db, [() => ({})])
    theirs = await seedApplication(harness.db, [() => ({})])
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const list = ({ id }: SeededApplication) => harness.json<Listed[]>('sessions', 'list', '--application', id)

  test('active sessions are listed, and one can be revoked', async () => {
    const rows = await seedSessions(harness.db, ours.id, 3)
    await seedSessions(harness.db, ours.id, 1, { expiresAt: 1 })
    await seedSessions(harness.db, ours.id, 1, { revokedAt: 1 })
    expect((await list(ours)).map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    const [first, ...others] = rows
    const applicationArgs = ['--application', ours.id] as const
    const [ended] = await harness.json<Listed[]>('sessions', 'revoke', first!.id, ...applicationArgs)
    expect(ended).toMatchObject({ id: first!.id, revokedAt: expect.any(String) })
    expect((await list(ours)).map(({ id }) => id)).toEqual(others.map(({ id }) => id))
  })

  test('a sign-in link has the role viewer, or the one that is named', async () => {
    const { id: application } = await seedApplication(harness.db, [() => ({})])
    const link = (...args: string[]) =>
      harness.json<Link>('dashboard', 'link', '--application', application, ...args)
    const links = [await link(), await link('--role', 'operator'), await link('--role', 'admin')]
    expect(links.map(({ role }) => role)).toEqual(['VIEWER', 'OPERATOR', 'ADMIN'])
    const listed = await harness.json<Link[]>('sessions', 'list', '--application', application)
    expect(listed.map(({ id, role }) => [id, role])).toEqual(links.map(({ id, role }) => [id, role]))
    const refused = await harness.cli('dashboard', 'link', '--application', application, '--role', 'root')
    expect(refused).toMatchObject({ code: 2, error: expect.stringContaining('viewer, operator, admin') })
  })

  test('the audit log shows who made a change', async () => {
    const { id: application } = await seedApplication(harness.db, [() => ({})])
    await seedAuditEntries(harness.db, application, 1, {
      actorKind: 'session',
      actorId: 'ses_1',
      actorName: 'Ada Byron',
    })
    const entries = await harness.json<{ actor: string }[]>('audit', 'list', '--application', application)
    expect(entries.map(({ actor }) => actor)).toEqual(['session ses_1 (Ada Byron)'])
  })

  test('all sessions of an application can be revoked, and no others', async () => {
    await seedSessions(harness.db, ours.id, 2)
    const kept = await seedSessions(harness.db, theirs.id, 2)
    await harness.json('sessions', 'revoke', '--all', '--application', ours.id)
    expect(await list(ours)).toEqual([])
    expect((await list(theirs)).map(({ id }) => id)).toEqual(kept.map(({ id }) => id))
  })

  test('a session of another application is not found, and revoke needs either an id or --all', async () => {
    const [session] = await seedSessions(harness.db, theirs.id, 1)
    const applicationArgs = ['--application', ours.id] as const
    const refused = await harness.cli('sessions', 'revoke', session!.id, ...applicationArgs)
    expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('no such session') })
    for (const args of [[], [session!.id, '--all']])
      expect((await harness.cli('sessions', 'revoke', ...args, ...applicationArgs)).code).toBe(2)
  })
})
