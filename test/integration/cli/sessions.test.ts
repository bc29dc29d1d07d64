import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedApplication, type SeededApplication } from '../../support/factories.ts'
import { seedSessions } from '../../support/session-rows.ts'
import { stores } from '../../support/stores.ts'
import { type CliHarness, openCliHarness } from '../../support/cli-harness.ts'

interface Listed {
  readonly id: string
  readonly revokedAt: string | null
}

describe.each(stores)('sessions on %s', (store) => {
  let office: CliHarness
  let ours: SeededApplication
  let theirs: SeededApplication

  beforeAll(async () => {
    office = await openCliHarness(store)
    ours = await seedApplication(office.db, [() => ({})])
    theirs = await seedApplication(office.db, [() => ({})])
  })
  afterAll(() => office[Symbol.asyncDispose]())

  const list = ({ id }: SeededApplication) => office.json<Listed[]>('sessions', 'list', '--application', id)

  test('those that live are listed, and one is ended', async () => {
    const rows = await seedSessions(office.db, ours.id, 3)
    await seedSessions(office.db, ours.id, 1, { expiresAt: 1 })
    await seedSessions(office.db, ours.id, 1, { revokedAt: 1 })
    expect((await list(ours)).map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    const [first, ...others] = rows
    const whose = ['--application', ours.id] as const
    const [ended] = await office.json<Listed[]>('sessions', 'revoke', first!.id, ...whose)
    expect(ended).toMatchObject({ id: first!.id, revokedAt: expect.any(String) })
    expect((await list(ours)).map(({ id }) => id)).toEqual(others.map(({ id }) => id))
  })

  test('every one is ended, and none of another application', async () => {
    await seedSessions(office.db, ours.id, 2)
    const kept = await seedSessions(office.db, theirs.id, 2)
    await office.json('sessions', 'revoke', '--all', '--application', ours.id)
    expect(await list(ours)).toEqual([])
    expect((await list(theirs)).map(({ id }) => id)).toEqual(kept.map(({ id }) => id))
  })

  test('another application’s is not found, and neither or both ways to name is refused', async () => {
    const [session] = await seedSessions(office.db, theirs.id, 1)
    const whose = ['--application', ours.id] as const
    const strange = await office.cli('sessions', 'revoke', session!.id, ...whose)
    expect(strange).toMatchObject({ code: 1, error: expect.stringContaining('no such session') })
    for (const args of [[], [session!.id, '--all']])
      expect((await office.cli('sessions', 'revoke', ...args, ...whose)).code).toBe(2)
  })
})
