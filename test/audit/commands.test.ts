import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { nouns } from '../../src/cli/program.ts'
import { bullmqQueue } from '../../src/queue/bullmq.ts'
import { jobs, perJob } from '../../src/queue/jobs.ts'
import type { Database } from '../../src/storage/database.ts'
import type { AuditEntry } from '../../src/subgraphs/audit.ts'
import { MASTER_KEY, openOffice, type Office, runHere } from '../cli/rig.ts'
import { eventRow, plantApplication, type PlantedApplication } from '../factories.ts'
import { plantWebhooks, type WebhookIds } from '../graph/webhook-plants.ts'
import { makeHome } from '../prove/service-process.ts'
import { plantSessions } from '../sessions/planted.ts'

/** Commands that change nothing, and show no secret. */
const READING = [
  'applications list',
  'applications show',
  'keys list',
  'webhooks list',
  'webhooks show',
  'webhooks deliveries',
  'sessions list',
  'connections list',
  'connections show',
  'syncs list',
  'syncs show',
  'jobs list',
  'jobs failed',
  'events list',
  'audit list',
  'links list',
  'links url',
  'encryption-key status',
  'doctor',
]

interface Scene {
  readonly planted: PlantedApplication
  readonly webhooks: WebhookIds
  readonly sessionId: string
  readonly folder: string
  /** The ids of what a row before has made. */
  readonly made: Record<string, string>
}

interface CommandRow {
  readonly command: string
  readonly args: (scene: Scene) => readonly string[]
  readonly action: string
  readonly target?: (scene: Scene) => string
  /** What it is done to belongs to the service as a whole. */
  readonly toService?: true
}

const own = ({ planted }: Scene) => ['--application', planted.id]
const connection = (at: number) => (scene: Scene) => scene.planted.connections[at]!.connection.id
const endpoint = ({ webhooks }: Scene) => webhooks.webhookEndpoint
const onEndpoint = (command: string, action: string, ...more: string[]): CommandRow => ({
  command: `webhooks ${command}`,
  args: (scene) => [endpoint(scene), ...own(scene), ...more],
  action,
  target: endpoint,
})
const onConnection = (command: string, action: string, at: number): CommandRow => ({
  command: `connections ${command}`,
  args: (scene) => [connection(at)(scene)],
  action,
  target: connection(at),
})
const onSync = (command: string, action: string): CommandRow => ({
  command: `syncs ${command}`,
  args: ({ made }) => [made['sync']!],
  action,
  target: ({ made }) => made['sync']!,
})

/** Every other command that works on a database, in an order in which each has something to do. */
const rows: readonly CommandRow[] = [
  onConnection('token', 'connection.token_shown', 0),
  onConnection('archive', 'connection.archived', 0),
  onConnection('delete', 'connection.deletion_requested', 1),
  onConnection('undelete', 'connection.deletion_called_off', 1),
  {
    command: 'syncs request',
    args: (scene) => ['--connection', connection(2)(scene)],
    action: 'sync.requested',
  },
  onSync('cancel', 'sync.cancelled'),
  onSync('retry', 'sync.retried'),
  {
    command: 'sessions revoke',
    args: (scene) => [scene.sessionId, ...own(scene)],
    action: 'session.revoked',
    target: ({ sessionId }) => sessionId,
  },
  {
    command: 'webhooks create',
    args: (scene) => ['--url', 'https://receiver.example.com/hook', ...own(scene)],
    action: 'webhook_endpoint.created',
  },
  onEndpoint('disable', 'webhook_endpoint.disabled'),
  onEndpoint('enable', 'webhook_endpoint.enabled'),
  onEndpoint('rotate', 'webhook_endpoint.secret_rotated'),
  onEndpoint('test', 'webhook_endpoint.test_sent', '--type', 'vehicle.added'),
  {
    command: 'webhooks replay',
    args: (scene) => [scene.webhooks.webhookDelivery, ...own(scene)],
    action: 'webhook_delivery.replayed',
    target: ({ webhooks }) => webhooks.webhookDelivery,
  },
  {
    command: 'webhooks recover',
    args: (scene) => [scene.made['endpoint']!, ...own(scene), '--since', '2020-01-01T00:00:00Z'],
    action: 'webhook_endpoint.recovered',
    target: ({ made }) => made['endpoint']!,
  },
  onEndpoint('delete', 'webhook_endpoint.deleted'),
  {
    command: 'links create',
    args: (scene) => ['--external-id', 'customer-7', ...own(scene)],
    action: 'short_link.created',
  },
  {
    command: 'links delete',
    args: (scene) => [scene.made['link']!, ...own(scene)],
    action: 'short_link.deleted',
    target: ({ made }) => made['link']!,
  },
  { command: 'encryption-key rotate', args: () => [], action: 'encryption_key.rotated', toService: true },
  {
    command: 'backup',
    args: ({ folder }) => [join(folder, 'copy.db')],
    action: 'database.backed_up',
    toService: true,
  },
]

/** Those whose acts are in tests of their own, here or beside what they are about. */
const APART = [
  'applications create',
  'applications update',
  'keys create',
  'keys rotate',
  'keys revoke',
  'audit prune',
  'encryption-key new',
  'encryption-key retire',
  'jobs retry',
  'jobs clear',
  'restore',
]

async function commandsOf(): Promise<string[]> {
  const found: string[] = []
  for (const [name, { load }] of Object.entries(nouns)) {
    const noun = new Command(name)
    ;(await load()).addTo(noun)
    found.push(
      ...(noun.commands.length === 0 ? [name] : noun.commands.map((command) => `${name} ${command.name()}`)),
    )
  }
  return found
}

const entriesOf = (db: Pick<Database, 'rows'>) =>
  db.rows<AuditEntry & { detail: string }>('SELECT * FROM `audit_log` ORDER BY `at`, `id`')

const operator = { actorKind: 'operator', actorId: userInfo().username }

test('every command is one that reads, or one whose act is remembered', async () => {
  const known = [...READING, ...rows.map(({ command }) => command), ...APART]
  expect((await commandsOf()).filter((command) => !known.includes(command))).toEqual([])
})

async function sceneIn({ db, home }: Office): Promise<Scene> {
  const planted = await plantApplication(db, [
    () => ({}),
    () => ({}),
    (owner) => ({ events: [eventRow(owner), eventRow(owner)] }),
  ])
  await db.transaction((tx) =>
    tx.run('INSERT INTO `log_heads` (`applicationId`, `position`) VALUES (?, 2)', [planted.id]),
  )
  const webhooks = await plantWebhooks(db, planted)
  const [session] = await plantSessions(db, planted.id, 1)
  return { planted, webhooks, sessionId: session!.id, folder: home.folder, made: {} }
}

test('each command that changes something leaves one entry, of the operator; refused, none', async () => {
  const next = Buffer.alloc(32, 8).toString('base64')
  await using office = await openOffice('sqlite', { ENCRYPTION_KEY: next, ENCRYPTION_KEYS_OLD: MASTER_KEY })
  const scene = await sceneIn(office)
  let before = (await entriesOf(office.db)).length
  for (const { command, args, action, target, toService } of rows) {
    const words = command.split(' ')
    const given = args(scene)
    if (given.length > 0 && words[0] !== 'backup') {
      const wrong = given.map((arg) => (/^[a-z]+_[0-9A-Z]{26}$/.test(arg) ? `${arg.slice(0, -3)}XXX` : arg))
      expect([command, (await office.cli(...words, ...wrong)).code]).toEqual([command, 1])
      expect((await entriesOf(office.db)).length).toBe(before)
    }
    const { code, out, error } = await office.cli('--json', ...words, ...given)
    expect([command, code, code === 0 ? '' : error]).toEqual([command, 0, ''])
    const printed = (out === '' ? {} : JSON.parse(out)) as { id?: string }
    if (command === 'syncs request') scene.made['sync'] = String(printed.id)
    if (command === 'links create') scene.made['link'] = String(printed.id)
    if (command === 'webhooks create') scene.made['endpoint'] = String(printed.id)
    const left = (await entriesOf(office.db)).slice(before)
    expect([command, left]).toMatchObject([
      command,
      [{ action, ...operator, applicationId: toService ? '' : scene.planted.id }],
    ])
    if (target) expect([command, left[0]?.targetId]).toEqual([command, target(scene)])
    expect(JSON.stringify(left)).not.toContain(scene.planted.connections[0]!.token)
    before += 1
  }
  await office.cli('encryption-key', 'rotate')
  await office.cli('backup', join(scene.folder, 'copy.db'))
  expect((await entriesOf(office.db)).length).toBe(before)
})

test('a restored database says that it was restored', async () => {
  await using office = await openOffice('sqlite')
  const copy = join(office.home.folder, 'copy.db')
  await office.cli('backup', copy)
  const other = await makeHome('sqlite')
  onTestFinished(other.remove)
  const ran = await runHere(other, { ENCRYPTION_KEY: MASTER_KEY }, ['restore', copy])
  expect(ran.code).toBe(0)
  const db = await other.open()
  onTestFinished(() => db.close())
  expect(await entriesOf(db)).toMatchObject([{ action: 'database.restored', applicationId: '', ...operator }])
})

test('keys that are put into the key file and taken out of it are named, not told', async () => {
  await using office = await openOffice('sqlite', {})
  for (const args of [['new', '--key-file'], ['new', '--key-file'], ['retire'], ['retire'], ['new']])
    expect((await office.cli('encryption-key', ...args)).code).toBe(0)
  const entries = await entriesOf(office.db)
  expect(entries.map(({ action }) => action)).toEqual([
    'encryption_key.added',
    'encryption_key.added',
    'encryption_key.retired',
  ])
  expect(entries.every(({ detail }) => detail.length < 80)).toBe(true)
})

test('the log is pruned by nobody but an operator, and says so', async () => {
  await using office = await openOffice('sqlite')
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
    await using office = await openOffice('mariadb')
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
      await vi.waitUntil(async () => (await failed()) === 1, { timeout: 20_000 })
      await office.json('jobs', 'retry', '--all')
      await vi.waitUntil(async () => (await failed()) === 1, { timeout: 20_000 })
      await office.json('jobs', 'clear', '--all')
      await office.json('jobs', 'clear', '--all')
      expect(await entriesOf(office.db)).toMatchObject([
        { action: 'jobs.retried', applicationId: '', ...operator },
        { action: 'jobs.cleared', applicationId: '', ...operator },
      ])
    } finally {
      await queue.close()
    }
  })
})
