import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { commandGroups } from '../../../src/cli/program.ts'
import { bullmqQueue } from '../../../src/queue/bullmq/bullmq-queue.ts'
import { jobPolicies, perJob } from '../../../src/queue/jobs.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { AuditEntry } from '../../../src/subgraphs/tables/audit-log.ts'
import { encryptedColumns } from '../../../src/subgraphs/tables/encrypted-columns.ts'
import {
  MASTER_KEY,
  openCliHarness,
  type CliHarness,
  runInProcess,
} from '../../support/harnesses/cli-harness.ts'
import { eventRow, seedApplication, vehicleRow } from '../../support/factories.ts'
import { seedWebhooks } from '../../support/graph/webhook-rows.ts'
import { seedHeldRemoval } from '../../support/rows/held-removal-rows.ts'
import { makeHome } from '../../prove/support/service-process.ts'
import { seedSessions } from '../../support/rows/session-rows.ts'
import {
  type CommandRow,
  ofDatabase,
  ofJobs,
  ofKeyFile,
  own,
  type Printed,
  READING,
  type Scene,
} from '../../support/audit/command-cases.ts'

/** Has a separate test: it replaces the database, which must not be open. */
const RESTORE = 'restore'

/** Returns every command, at any depth. */
async function commandsOf(): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(commandGroups).map(async ([name, { load }]) => {
      const noun = new Command(name)
      ;(await load()).addTo(noun)
      return leavesOf(noun, name)
    }),
  )
  return found.flat()
}

const leavesOf = ({ commands }: Command, path: string): string[] =>
  commands.length === 0
    ? [path]
    : commands.flatMap((command) => leavesOf(command, `${path} ${command.name()}`))

const entriesOf = (db: Pick<Database, 'rows'>) =>
  db.rows<AuditEntry & { detail: string }>('SELECT * FROM `audit_log` ORDER BY `at`, `id`')

const operator = { actorKind: 'operator', actorId: userInfo().username }

test('every command is read-only or has an audit case', async () => {
  const rowsOf = [...ofDatabase, ...ofKeyFile, ...ofJobs].map(({ command }) => command)
  const known = [...READING, ...rowsOf, RESTORE]
  expect((await commandsOf()).toSorted()).toEqual(known.toSorted())
})

async function sceneIn({ db, home }: CliHarness): Promise<Scene> {
  const seeded = await seedApplication(db, [
    (owner) => ({ vehicles: [vehicleRow(owner)] }),
    () => ({}),
    (owner) => ({ events: [eventRow(owner), eventRow(owner)] }),
  ])
  await db.transaction((tx) =>
    tx.run('INSERT INTO `log_heads` (`applicationId`, `position`) VALUES (?, 2)', [seeded.id]),
  )
  await seedHeldRemoval(db, seeded.connections[2]!.connection)
  const webhooks = await seedWebhooks(db, seeded)
  const [session] = await seedSessions(db, seeded.id, 1)
  await writeFile(join(home.folder, 'documents.json'), '{"published":"{ connections { nodes { id } } }"}')
  const { id: vehicleId } = seeded.connections[0]!.vehicles[0]!
  await writeFile(join(home.folder, 'facts.csv'), `vehicleId,fuelTankCapacity\n${vehicleId},400\n`)
  await writeFile(
    join(home.folder, 'sites.csv'),
    'siteId,name,longitude,latitude\nsite-1,A site,-97.7,30.3\n',
  )
  return { seeded, webhooks, sessionId: session!.id, folder: home.folder, made: {} }
}

/**
 * Runs a command with invalid arguments, then with valid ones. Only the second run adds an entry, exactly one.
 */
async function expectOneEntry(harness: CliHarness, scene: Scene, row: CommandRow): Promise<void> {
  const { command, args, action, target, toService, refused } = row
  const formats = command.split(' ')
  const before = new Set((await entriesOf(harness.db)).map(({ id }) => id))
  const newEntries = async () => (await entriesOf(harness.db)).filter(({ id }) => !before.has(id))
  const validArgs = args(scene)
  const invalidArgs =
    refused?.(scene) ?? validArgs.map((arg) => arg.replace(/^([a-z]+_[0-9A-Z]{23})...$/, '$1XXX'))
  expect([command, (await harness.cli(...formats, ...invalidArgs)).code]).not.toEqual([command, 0])
  expect([command, await newEntries()]).toEqual([command, []])

  const { code, out, error } = await harness.cli('--json', ...formats, ...validArgs)
  expect([command, code, code === 0 ? '' : error]).toEqual([command, 0, ''])
  const printed = (out === '' ? {} : JSON.parse(out)) as Printed
  if (printed.id !== undefined) scene.made[command] = printed.id
  const added = await newEntries()
  const applicationId = action === 'application.created' ? printed.id : scene.seeded.id
  expect([command, added]).toMatchObject([
    command,
    [{ action, ...operator, applicationId: toService ? '' : applicationId }],
  ])
  if (target) expect([command, added[0]?.targetId]).toEqual([command, target(scene, printed)])
  const { token } = scene.seeded.connections[0]!
  expect(JSON.stringify(added)).not.toMatch(new RegExp(`${token}|[sp]k_(prod|sandbox)_|whsec_`))
}

test('each command that changes something adds one entry of the operator, and none if it is refused', async () => {
  const next = Buffer.alloc(32, 8).toString('base64')
  await using harness = await openCliHarness('sqlite', {
    ENCRYPTION_KEY: next,
    ENCRYPTION_KEYS_OLD: MASTER_KEY,
  })
  const scene = await sceneIn(harness)
  for (const row of ofDatabase) await expectOneEntry(harness, scene, row)
  const before = (await entriesOf(harness.db)).length
  await harness.cli('encryption-key', 'rotate')
  await harness.cli('backup', join(scene.folder, 'copy.db'))
  expect((await entriesOf(harness.db)).length).toBe(before)
})

test('each key file command adds one entry, which names the keys without their values', async () => {
  await using harness = await openCliHarness('sqlite', {})
  const scene = { ...(await sceneIn(harness)), made: {} }
  await harness.db.transaction(async (tx) => {
    for (const { table, columns } of encryptedColumns)
      await tx.run(`UPDATE \`${table}\` SET ${columns.map((column) => `\`${column}\` = ''`).join(', ')}`)
  })
  for (const row of ofKeyFile) await expectOneEntry(harness, scene, row)
  const before = (await entriesOf(harness.db)).length
  for (const args of [['retire'], ['new']])
    expect((await harness.cli('encryption-key', ...args)).code).toBe(0)
  const entries = (await entriesOf(harness.db)).filter(({ action }) => action.startsWith('encryption_key'))
  expect((await entriesOf(harness.db)).length).toBe(before)
  expect(entries.map(({ detail }) => (JSON.parse(detail) as { outcome: string }).outcome)).toEqual([
    'done',
    'done',
  ])
  expect(entries.every(({ detail }) => detail.length < 80)).toBe(true)
})

test('a restored database has an entry of the restore', async () => {
  await using harness = await openCliHarness('sqlite')
  const copy = join(harness.home.folder, 'copy.db')
  await harness.cli('backup', copy)
  const other = await makeHome('sqlite')
  onTestFinished(other.remove)
  const run = (...args: string[]) => runInProcess(other, { ENCRYPTION_KEY: MASTER_KEY }, [RESTORE, ...args])
  expect((await run(join(harness.home.folder, 'nothing'))).code).toBe(1)
  expect((await run(copy)).code).toBe(0)
  const db = await other.open()
  onTestFinished(() => db.close())
  // The copy is made while the backup runs, so its entry still has the outcome `begun`.
  expect(await entriesOf(db)).toMatchObject([
    { action: 'database.backed_up', applicationId: '', detail: expect.stringContaining('begun') },
    { action: 'database.restored', applicationId: '', ...operator },
  ])
})

test('an operator can prune the log, which adds an entry', async () => {
  await using harness = await openCliHarness('sqlite')
  const scene = await sceneIn(harness)
  const list = (...args: string[]) => harness.json<{ action: string }[]>('audit', 'list', ...args)
  expect((await list(...own(scene))).length).toBe(3)
  expect((await harness.cli('audit', 'prune', '--before', '2999-01-01T00:00:00Z')).code).toBe(2)
  expect(await harness.json('audit', 'prune', '--before', '2000-01-01T00:00:00Z')).toMatchObject({
    removed: 0,
  })
  expect((await list()).length).toBe(3)
  const now = new Date().toISOString()
  expect(await harness.json('audit', 'prune', '--before', now)).toMatchObject({ removed: 3 })
  expect(await list()).toMatchObject([{ action: 'audit_log.pruned', application: 'service' }])
  expect(await list('--action', 'session.created')).toEqual([])
  expect(await list('--since', '2999-01-01T00:00:00Z')).toEqual([])
})

describe.skipIf(!process.env['REDIS_URL'])('with Redis', () => {
  test('each retry and each removal of failed jobs adds one entry', async () => {
    await using harness = await openCliHarness('mariadb')
    const { REDIS_URL: redisUrl = '', QUEUE_PREFIX: prefix = '' } = harness.home.environment
    const policies = {
      ...jobPolicies,
      'poll-latest': { ...jobPolicies['poll-latest'], attempts: 1, backoffMs: 1 },
    }
    const queue = bullmqQueue({ redisUrl, prefix, onError: () => undefined, policies })
    try {
      await queue.work({
        ...perJob(() => async () => undefined),
        'poll-latest': () => Promise.reject(new Error('no')),
      })
      await queue.add('poll-latest', { connectionId: 'c', model: 'LatestVehicleLocation' })
      const failed = async () => (await harness.json<unknown[]>('jobs', 'failed')).length
      const scene = await sceneIn(harness)
      for (const row of ofJobs) {
        await vi.waitUntil(async () => (await failed()) === 1, { timeout: 60_000 })
        await expectOneEntry(harness, scene, row)
      }
      const entries = (await entriesOf(harness.db)).filter(({ action }) => action.startsWith('jobs.'))
      expect(entries.map(({ detail }) => JSON.parse(detail) as object)).toEqual(
        [1, 1].map((count) => ({ job: 'any', jobId: 'all', count, outcome: 'done' })),
      )
      await harness.json('jobs', 'clear', '--all')
      const unreachable = await openCliHarness('mariadb', { REDIS_URL: 'redis://127.0.0.1:1' })
      expect((await unreachable.cli('jobs', 'clear', '--all')).code).toBe(1)
      expect(await entriesOf(unreachable.db)).toEqual([])
      await unreachable[Symbol.asyncDispose]()
      expect((await entriesOf(harness.db)).filter(({ action }) => action.startsWith('jobs.'))).toHaveLength(2)
    } finally {
      await queue.close()
    }
  })
})
