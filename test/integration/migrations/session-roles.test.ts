import { describe, expect, test } from 'vitest'
import { migrate, withRunner } from '../../../src/storage/migrate.ts'
import { migrations } from '../../../src/storage/migrations/migrations.ts'
import { stores } from '../../support/database/stores.ts'
import { emptyDatabase } from '../../support/migrations/migration-harness.ts'

const before = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name.startsWith('SessionRoles')),
)

/** Sessions by id, with the name and the sign-in code of a version without roles. */
const sessions = [
  ['ses_named', 'Ada Byron', null],
  ['ses_unused', null, 'a hash'],
  ['ses_both', 'Ada Byron', 'a hash'],
  ['ses_api', null, null],
] as const

describe.each(stores)('sessions from before roles on %s', (store) => {
  test('read on: sign-in links as viewers, others without a role', async () => {
    await using database = await emptyDatabase(store)
    await migrate(database.place, { list: before })
    await withRunner(database.place, async (runner) => {
      for (const [id, name, code] of sessions)
        await runner.query(
          "INSERT INTO `sessions` (`id`, `applicationId`, `name`, `signInCodeHash`, `scopes`, `createdAt`, `expiresAt`) VALUES (?, 'app_1', ?, ?, '[]', 1, 2)",
          [id, name, code],
        )
    })
    await migrate(database.place)
    const rows = (await withRunner(database.place, (runner) =>
      runner.query('SELECT `id`, `role` FROM `sessions`'),
    )) as { id: string; role: string | null }[]
    expect(Object.fromEntries(rows.map(({ id, role }) => [id, role]))).toEqual({
      ses_named: 'VIEWER',
      ses_unused: 'VIEWER',
      ses_both: 'VIEWER',
      ses_api: null,
    })
  })
})
