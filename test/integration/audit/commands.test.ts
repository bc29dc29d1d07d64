import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { commandGroups } from '../../../src/cli/program.ts'
import { bullmqQueue } from '../../../src/queue/bullmq/bullmq-queue.ts'
import { jobs, perJob } from '../../../src/queue/jobs.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { AuditEntry } from '../../../src/subgraphs/tables/audit-log.ts'
import { encryptedColumns } from '../../../src/subgraphs/tables/encrypted-columns.ts'
import { MASTER_KEY, openCliHarness, type CliHarness, runInProcess } from '../../support/cli-harness.ts'
import { eventRow, seedApplication } from '../../support/factories.ts'
import { seedWebhooks } from '../../support/graph/webhook-rows.ts'
import { makeHome } from '../../prove/service-process.ts'
import { seedSessions } from '../../support/session-rows.ts'
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

/** It takes the place of the database, of which nobody may have a hold. */
const RESTORE = 'restore'

/** Every command there is, however deep its nouns are. */
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

test('every command is one that reads, or one whose act is remembered', async () => {
  const rowsOf = [...ofDatabase, ...ofKeyFile, ...ofJobs].map(({ command }) => command)
  const known = [...READING, ...rowsOf, RESTORE]
  expect((await commandsOf()).toSorted()).toEqual(known.toSorted())
})

async function sceneIn({ db, home }: CliHarness): Promise<Scene> {
  const planted = await seedApplication(db, [
    () => ({}),
    () => ({}),
    (owner) => ({ events: [eventRow(owner), eventRow(owner)] }),
  ])
  await db.transaction((tx) =>
    tx.run('INSERT INTO `log_heads` (`applicationId`, `position`) VALUES (?, 2)', [planted.id]),
  )
  const webhooks = await seedWebhooks(db, planted)
  const [session] = await seedSessions(db, planted.id, 1)
  return { planted, webhooks, sessionId: session!.id, folder: home.folder, made: {} }
}

/** Runs a command that is refused, then one that does something; only of that there is an entry, and it is one. */
async function leavesOne(office: CliHarness, scene: Scene, row: CommandRow): Promise<void> {
  const { command, args, action, target, toService, refused } = row
  const words = command.split(' ')
  const before = new Set((await entriesOf(office.db)).map(({ id }) => id))
  const fresh = async () => (await entriesOf(office.db)).filter(({ id }) => !before.has(id))
  const given = args(scene)
  const wrong = refused?.(scene) ?? given.map((arg) => arg.replace(/^([a-z]+_[0-9A-Z]{23})...$/, '$1XXX'))
  expect([command, (await office.cli(...words, ...wrong)).code]).not.toEqual([command, 0])
  expect([command, await fresh()]).toEqual([command, []])

  const { code, out, error } = await office.cli('--json', ...words, ...given)
  expect([command, code, code === 0 ? '' : error]).toEqual([command, 0, ''])
  const printed = (out === '' ? {} : JSON.parse(out)) as Printed
  if (printed.id !== undefined) scene.made[command] = printed.id
  const left = await fresh()
  const applicationId = action === 'application.created' ? printed.id : scene.planted.id
  expect([command, left]).toMatchObject([
    command,
    [{ action, ...operator, applicationId: toService ? '' : applicationId }],
  ])
  if (target) expect([command, left[0]?.targetId]).toEqual([command, target(scene, printed)])
  const { token } = scene.planted.connections[0]!
  expect(JSON.stringify(left)).not.toMatch(new RegExp(`${token}|[sp]k_(prod|sandbox)_|whsec_`))
}

test('each command that changes something leaves one entry, of the operator; refused, none', async () => {
  const next = Buffer.alloc(32, 8).toString('base64')
  await using office = await openCliHarness('sqlite', {
    ENCRYPTION_KEY: next,
    ENCRYPTION_KEYS_OLD: MASTER_KEY,
  })
  const scene = await sceneIn(office)
  for (const row of ofDatabase) await leavesOne(office, scene, row)
  const before = (await entriesOf(office.db)).length
  await office.cli('encryption-key', 'rotate')
  await office.cli('backup', join(scene.folder, 'copy.db'))
  expect((await entriesOf(office.db)).length).toBe(before)
})

test('each that works on a key file does, and its keys are named, not told', async () => {
  await using office = await openCliHarness('sqlite', {})
  const scene = { ...(await sceneIn(office)), made: {} }
  await office.db.transaction(async (tx) => {
    for (const { table, columns } of encryptedColumns)
      await tx.run(`UPDATE \`${table}\` SET ${columns.map((column) => `\`${column}\` = ''`).join(', ')}`)
  })
  for (const row of ofKeyFile) await leavesOne(office, scene, row)
  const before = (await entriesOf(office.db)).length
  for (const args of [['retire'], ['new']]) expect((await office.cli('encryption-key', ...args)).code).toBe(0)
  const entries = (await entriesOf(office.db)).filter(({ action }) => action.startsWith('encryption_key'))
  expect((await entriesOf(office.db)).length).toBe(before)
  expect(entries.map(({ detail }) => (JSON.parse(detail) as { outcome: string }).outcome)).toEqual([
    'done',
    'done',
  ])
  expect(entries.every(({ detail }) => detail.length < 80)).toBe(true)
})

test('a restored database says that it was restored', async () => {
  await using office = await openCliHarness('sqlite')
  const copy = join(office.home.folder, 'copy.db')
  await office.cli('backup', copy)
  const other = await makeHome('sqlite')
  onTestFinished(other.remove)
  const run = (...args: string[]) => runInProcess(other, { ENCRYPTION_KEY: MASTER_KEY }, [RESTORE, ...args])
  expect((await run(join(office.home.folder, 'nothing'))).code).toBe(1)
  expect((await run(copy)).code).toBe(0)
  const db = await other.open()
  onTestFinished(() => db.close())
  // What was copied had begun to be: its own copy knows no more of it.
  expect(await entriesOf(db)).toMatchObject([
    { action: 'database.backed_up', applicationId: '', detail: expect.stringContaining('begun') },
    { action: 'database.restored', applicationId: '', ...operator },
  ])
})

test('the log is pruned by nobody but an operator, and says so', async () => {
  await using office = await openCliHarness('sqlite')
  const scene = await sceneIn(office)
  const list = (...args: string[]) => office.json<{ action: string }[]>('audit', 'list', ...args)
  expect((await list(...own(scene))).length).toBe(3)
  expect((await office.cli('audit', 'prune', '--before', '2999-01-01T00:00:00Z')).code).toBe(2)
  expect(await office.json('audit', 'prune', '--before', '2000-01-01T00:00:00Z')).toMatchObject({
    removed: 0,
  })
  expect((await list()).length).toBe(3)
  const now = new Date().toISOString()
  expect(await office.json('audit', 'prune', '--before', now)).toMatchObject({ removed: 3 })
  expect(await list()).toMatchObject([{ action: 'audit_log.pruned', application: 'service' }])
  expect(await list('--action', 'session.created')).toEqual([])
  expect(await list('--since', '2999-01-01T00:00:00Z')).toEqual([])
})

describe.skipIf(!process.env['REDIS_URL'])('with Redis', () => {
  test('jobs that are tried again or forgotten are remembered once each time', async () => {
    await using office = await openCliHarness('mariadb')
    const { REDIS_URL: redisUrl = '', QUEUE_PREFIX: prefix = '' } = office.home.environment
    const policies = { ...jobs, 'poll-latest': { ...jobs['poll-latest'], attempts: 1, backoffMs: 1 } }
    const queue = bullmqQueue({ redisUrl, prefix, onError: () => undefined, policies })
    try {
      await queue.work({
        ...perJob(() => async () => undefined),
        'poll-latest': () => Promise.reject(new Error('no')),
      })
      await queue.add('poll-latest', { connectionId: 'c', model: 'LatestVehicleLocation' })
      const failed = async () => (await office.json<unknown[]>('jobs', 'failed')).length
      const scene = await sceneIn(office)
      for (const row of ofJobs) {
        await vi.waitUntil(async () => (await failed()) === 1, { timeout: 60_000 })
        await leavesOne(office, scene, row)
      }
      const entries = (await entriesOf(office.db)).filter(({ action }) => action.startsWith('jobs.'))
      expect(entries.map(({ detail }) => JSON.parse(detail) as object)).toEqual(
        [1, 1].map((count) => ({ job: 'any', jobId: 'all', count, outcome: 'done' })),
      )
      await office.json('jobs', 'clear', '--all')
      const unreached = await openCliHarness('mariadb', { REDIS_URL: 'redis://127.0.0.1:1' })
      expect((await unreached.cli('jobs', 'clear', '--all')).code).toBe(1)
      expect(await entriesOf(unreached.db)).toEqual([])
      await unreached[Symbol.asyncDispose]()
      expect((await entriesOf(office.db)).filter(({ action }) => action.startsWith('jobs.'))).toHaveLength(2)
    } finally {
      await queue.close()
    }
  })
})
