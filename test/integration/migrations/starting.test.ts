import { describe, expect, test } from 'vitest'
import { migrate, withRunner } from '../../../src/storage/migrate.ts'
import { bootstrapDatabase } from '../../../src/storage/bootstrap.ts'
import { migrations } from '../../../src/storage/migrations/migrations.ts'
import { ServiceProcess } from '../../prove/support/service-process.ts'
import { stores } from '../../support/database/stores.ts'
import {
  emptyDatabase,
  runMigrate,
  stateOf,
  recordProgress,
} from '../../support/migrations/migration-harness.ts'

const OFF = { migrate: 'off', retentionDays: undefined } as const

test('a service with --migrate off refuses a missing migration, and starts once it is applied', async () => {
  await using database = await emptyDatabase('sqlite')
  const options = ['--migrate', 'off', '--demo', 'off']
  const refused = ServiceProcess.spawn(database.home, options)
  await expect(refused.becomesReady()).rejects.toThrow('the service ended with 1')
  expect(refused.output()).toMatch(
    /^odograph: the database lacks FirstLight\d+, .*: run `npm run migrate`, or start with --migrate on\n$/,
  )
  expect(await runMigrate(database.home)).toMatchObject({ code: 0 })
  await using service = await ServiceProcess.start(database.home, options)
  expect(await service.end()).toBe(0)
})

describe.each(stores)('a database on %s', (store) => {
  test('without migrations is unchanged by a start that does not migrate', async () => {
    await using database = await emptyDatabase(store)
    await expect(bootstrapDatabase(database.place, OFF, recordProgress())).rejects.toThrow(
      'run `npm run migrate`',
    )
    expect((await stateOf(database.place)).applied).toEqual([])
  })

  test.each(['on', 'off'] as const)(
    'that is newer is accepted with a warning, with --migrate %s',
    async (migrating) => {
      await using database = await emptyDatabase(store)
      await migrate(database.place)
      await withRunner(database.place, (runner) =>
        runner.query(
          "INSERT INTO `migrations` (`timestamp`, `name`) VALUES (1800000000000, 'Later1800000000000')",
        ),
      )
      const { lines, ...progress } = recordProgress()
      await bootstrapDatabase(database.place, { ...OFF, migrate: migrating }, progress)
      expect(lines).toEqual([
        'the database is newer than this version, which does not know Later1800000000000',
      ])
    },
  )
})

describe.each(stores)('npm run migrate on %s', (store) => {
  test('lists applied and pending migrations, and exits with 1 if any is pending', async () => {
    await using database = await emptyDatabase(store)
    const before = await runMigrate(database.home, ['--status'])
    expect(before.code).toBe(1)
    for (const { name } of migrations) expect(before.output).toMatch(new RegExp(`^${name} +pending$`, 'm'))
    expect(before.output).toContain(`${migrations.length} pending: run \`npm run migrate\`\n`)
    expect((await stateOf(database.place)).applied).toEqual([])
    const applying = await runMigrate(database.home, [], { RETENTION_DAYS: '90' })
    expect(applying).toMatchObject({
      code: 0,
      output: expect.stringMatching(/the database is up to date\n$/),
    })
    const after = await runMigrate(database.home, ['--status'])
    expect(after.code).toBe(0)
    for (const { name } of migrations)
      expect(after.output).toMatch(new RegExp(`^${name} +applied \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$`, 'm'))
    const layout = store === 'mariadb' ? [/^vehicle_locations: 1\d partitions$/m, /^raw_points: 1\d/m] : []
    for (const line of layout) expect(after.output).toMatch(line)
  })
})

test('npm run migrate has a help text, and names an unknown option', async () => {
  await using database = await emptyDatabase('sqlite')
  expect(await runMigrate(database.home, ['--help'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('--status'),
  })
  expect(await runMigrate(database.home, ['--stauts'])).toEqual({
    code: 2,
    output: 'migrate: --stauts: no such option\n',
  })
})
