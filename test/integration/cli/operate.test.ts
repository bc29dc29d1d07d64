import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { authenticator, keyHolder } from '../../../src/auth/caller.ts'
import { newId } from '../../../src/domain/ids.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import { SyncStatus } from '../../../src/subgraphs/connections/syncs/sync.ts'
import {
  DAY,
  eventRow,
  NOON,
  seedApplication,
  type SeededApplication,
  syncRow,
  unknownId,
} from '../../support/factories.ts'
import { stores } from '../../support/database/stores.ts'
import { type CliHarness, openCliHarness, runProgram } from '../../support/harnesses/cli-harness.ts'

const SECRETS = /sk_\w+_\w+|con_tkn_\w+|Sealed|tokenHash|"hash"/

interface CreatedKey {
  readonly id: string
  readonly key: string
}

interface ListedRow {
  readonly id: string
  readonly status: string
  readonly use: string
}

describe.each(stores)('odograph on %s', (store) => {
  let harness: CliHarness
  let application: SeededApplication
  let other: SeededApplication

  beforeAll(async () => {
    harness = await openCliHarness(store)
    application = await seedApplication(
      harness.db,
      [
        (owner) => ({
          syncs: [syncRow(owner)],
          events: [
            eventRow(owner, { type: 'sync.failed', position: 1 }),
            eventRow(owner, { position: 2 }),
            eventRow(owner, { position: 3 }),
          ],
        }),
        (owner) => ({ syncs: [syncRow(owner, { completedAt: Date.now() })] }),
        () => ({}),
      ],
      [{}, {}, { status: 'disconnected' as never, provider: 'elsewhere' }],
    )
    other = await seedApplication(harness.db, [() => ({})], [{ createdAt: Date.now() }])
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const connectionId = (at: number) => application.connections[at]!.connection.id

  test('creates an application with a working secret key', async () => {
    const created = await harness.json<{ id: string; secretKey: string; publishableKey: string }>(
      'applications',
      'create',
      'Acme',
      '--environment',
      'sandbox',
    )
    const authenticate = authenticator(callerLookups(harness.db))
    const caller = await authenticate({ authorization: `Bearer ${created.secretKey}` })
    expect(caller).toEqual(
      keyHolder(created.id, null, {
        id: expect.any(String),
        scopes: null,
        expiresAt: null,
      }),
    )
    expect(created.publishableKey).toMatch(/^pk_sandbox_/)
  })

  test('a revoked key is refused when its cache entry of 3 seconds expires, and other keys stay valid', async () => {
    const applicationArgs = ['--application', application.id] as const
    const { id, key } = await harness.json<CreatedKey>('keys', 'create', ...applicationArgs)
    const authenticate = authenticator(callerLookups(harness.db))
    const authenticateKey = () => authenticate({ authorization: `Bearer ${key}` })
    const now = performance.now.bind(performance)
    let offsetMs = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + offsetMs)
    try {
      expect((await authenticateKey()).applicationId).toBe(application.id)
      await harness.json('keys', 'revoke', id, ...applicationArgs)
      expect((await authenticateKey()).applicationId).toBe(application.id)
      offsetMs = 3001
      await new Promise((resolve) => setTimeout(resolve, 5)) // The cache reads the time once a millisecond.
      await expect(authenticateKey()).rejects.toMatchObject({ code: 'unauthorized' })
    } finally {
      clock.mockRestore()
    }
    const otherCaller = await authenticate({ authorization: `Bearer ${application.secretKey}` })
    expect(otherCaller.applicationId).toBe(application.id)
    const listed = await harness.json<ListedRow[]>('keys', 'list', ...applicationArgs)
    expect(listed.map(({ id: known, status }) => [known === id, status])).toContainEqual([true, 'revoked'])
  })

  test('prints no secret in any list or record', async () => {
    const commands = [
      ['applications', 'list'],
      ['applications', 'show', application.id],
      ['keys', 'list', '--application', application.id],
      ['connections', 'list'],
      ['connections', 'show', connectionId(0)],
      ['syncs', 'list'],
      ['encryption-key', 'status'],
    ]
    for (const args of commands)
      for (const format of [[], ['--json']]) {
        const { code, out } = await harness.cli(...args, ...format)
        expect([args, code]).toEqual([args, 0])
        expect(out).not.toMatch(SECRETS)
        expect(out.length).toBeGreaterThan(10)
      }
  })

  test('lists connections by application, provider, status and overdue sync', async () => {
    const ids = async (...args: string[]) =>
      (await harness.json<ListedRow[]>('connections', 'list', ...args)).map(({ id }) => id)
    expect(await ids('--application', application.id)).toEqual([0, 1, 2].map(connectionId))
    expect(await ids('--provider', 'elsewhere')).toEqual([connectionId(2)])
    expect(await ids('--status', 'disconnected')).toEqual([connectionId(2)])
    expect(await ids('--overdue')).toEqual([connectionId(0)])
    expect(await ids('--limit', '1', '--after', connectionId(0))).toEqual([connectionId(1)])
  })

  test('prints the token of a connection', async () => {
    const { connectionToken } = await harness.json<{ connectionToken: string }>(
      'connections',
      'token',
      connectionId(0),
    )
    expect(connectionToken).toBe(application.connections[0]!.token)
  })

  test('requests and cancels a deletion, and archives', async () => {
    const id = other.connections[0]!.connection.id
    const statusAfter = async (verb: string) =>
      (await harness.json<ListedRow>('connections', verb, id)).status
    expect(await statusAfter('delete')).toBe('pending_deletion')
    expect(await statusAfter('undelete')).toBe('connected')
    expect(await statusAfter('archive')).toBe('archived')
    const events = await harness.db.rows<{ type: string }>(
      'SELECT `type` FROM `events` WHERE `connectionId` = ? ORDER BY `sequence`',
      [id],
    )
    expect(events.map(({ type }) => type)).toEqual([
      'connection.pending_deletion',
      'connection.updated',
      'connection.updated',
    ])
  })

  test('requests a sync from a start time, waits for it, and prints its result', async () => {
    const connection = connectionId(1)
    const waiting = harness.json<ListedRow>(
      'syncs',
      'request',
      '--connection',
      connection,
      '--start-from',
      '2026-01-01T00:00:00Z',
      '--wait',
    )
    await vi.waitUntil(
      async () => {
        const [sync] = await harness.db.rows<{ id: string; startFrom: number }>(
          "SELECT `id`, `startFrom` FROM `syncs` WHERE `connectionId` = ? AND `status` = 'requested'",
          [connection],
        )
        if (!sync) return false
        expect(Number(sync.startFrom)).toBe(Date.UTC(2026, 0, 1))
        await harness.db.transaction((tx) =>
          tx.run(
            "UPDATE `syncs` SET `status` = 'completed', `progress` = 100, `completedAt` = ? WHERE `id` = ?",
            [Date.now(), sync.id],
          ),
        )
        return true
      },
      { timeout: 60_000, interval: 50 },
    )
    expect((await waiting).status).toBe(SyncStatus.COMPLETED)
  })

  test('cancels a sync and retries it', async () => {
    const { id } = await harness.json<ListedRow>(
      'syncs',
      'request',
      '--connection',
      connectionId(0),
      '--days',
      '2',
    )
    expect((await harness.json<ListedRow>('syncs', 'cancel', id)).status).toBe('failed')
    expect((await harness.json<ListedRow>('syncs', 'retry', id)).status).toBe('requested')
    await harness.json('syncs', 'cancel', id)
    expect(await harness.cli('syncs', 'show', id, '--wait')).toMatchObject({
      code: 1,
      error: expect.stringContaining('the sync failed: Cancelled.'),
    })
  })

  test('prints events as JSON lines, after an event or a position, by type', async () => {
    const [first, second, third] = application.connections[0]!.events.map(({ id }) => id)
    const ids = async (...args: string[]) => {
      const { out } = await harness.cli('events', 'list', '--application', application.id, ...args)
      return out
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { id: string }).id)
    }
    expect(await ids('--limit', '3')).toEqual([first, second, third])
    expect(await ids('--after', String(first), '--limit', '2')).toEqual([second, third])
    expect(await ids('--after', '2', '--limit', '1')).toEqual([third])
    expect(await ids('--type', 'sync.failed', '--connection', connectionId(0))).toEqual([first])
  })

  test('follows the log until it has the requested number of events', async () => {
    const row = eventRow({ applicationId: application.id, connectionId: connectionId(0) })
    const following = harness.cli(
      'events',
      'list',
      '--application',
      application.id,
      '--after',
      '3',
      '--follow',
      '--limit',
      '1',
    )
    await harness.db.transaction((tx) =>
      tx.run(
        "INSERT INTO `events` (`id`, `applicationId`, `connectionId`, `type`, `occurredAt`, `detail`, `position`) VALUES (?, ?, ?, 'vehicle.added', ?, '{}', 4)",
        [row.id, application.id, row.connectionId, NOON + DAY],
      ),
    )
    expect(JSON.parse((await following).out)).toMatchObject({
      id: row.id,
      position: 4,
      type: 'vehicle.added',
    })
  })

  const app = unknownId('application')
  const refusals: readonly [
    string,
    (ids: { mine: string; theirs: string; key: string }) => string[],
    number,
    string,
  ][] = [
    ['an unknown noun', () => ['trucks'], 2, 'unknown command'],
    ['an unknown verb', () => ['keys', 'lst'], 2, 'Did you mean list?'],
    ['an unknown option', () => ['syncs', 'list', '--conection', 'x'], 2, 'Did you mean --connection?'],
    ['keys without an application', () => ['keys', 'list'], 2, '--application'],
    [
      'an invalid time',
      ({ mine }) => ['syncs', 'request', '--connection', mine, '--start-from', 'now'],
      2,
      '2026-01-31T12:00:00Z',
    ],
    [
      'an invalid environment',
      () => ['applications', 'create', 'A', '--environment', 'test'],
      2,
      'prod, sandbox',
    ],
    [
      'an unknown application',
      () => ['applications', 'show', app],
      1,
      `there is no application ${app}: \`odograph applications list\``,
    ],
    [
      'a key for an unknown application',
      () => ['keys', 'create', '--application', app],
      1,
      'there is no application',
    ],
    [
      'an unknown key',
      ({ theirs }) => ['keys', 'revoke', theirs, '--application', application.id],
      1,
      'has no key',
    ],
    [
      "another application's key",
      ({ key }) => ['keys', 'revoke', key, '--application', other.id],
      1,
      'has no key',
    ],
    [
      'an unknown connection',
      () => ['connections', 'show', unknownId('connection')],
      1,
      'there is no connection',
    ],
    [
      "another application's connection",
      ({ mine }) => ['connections', 'archive', mine, '--application', other.id],
      1,
      'there is no connection',
    ],
    [
      "another application's token",
      ({ mine }) => ['connections', 'token', mine, '--application', other.id],
      1,
      'there is no connection',
    ],
    [
      'cancelling a deletion that is not requested',
      ({ mine }) => ['connections', 'undelete', mine],
      1,
      'no deletion to cancel',
    ],
    ['an unknown sync', () => ['syncs', 'retry', unknownId('sync')], 1, 'there is no sync'],
    [
      'a sync of a disconnected connection',
      () => ['syncs', 'request', '--connection', connectionId(2)],
      1,
      'disconnected',
    ],
    [
      'an unknown event',
      () => ['events', 'list', '--application', application.id, '--after', newId('event')],
      1,
      'no event with this id',
    ],
    [
      'a retry that names no job',
      () => ['jobs', 'retry'],
      store === 'sqlite' ? 1 : 2,
      store === 'sqlite' ? 'REDIS_URL' : '--all',
    ],
    [
      'a backup that cannot be written',
      () => ['backup', '/dev/null/x'],
      1,
      store === 'sqlite' ? '/dev/null/x' : 'mysqldump',
    ],
  ]
  test.each(refusals)('refuses %s', async (_name, args, code, message) => {
    const [key] = await harness.json<ListedRow[]>('keys', 'list', '--application', application.id)
    const theirs = other.connections[0]!.connection.id
    const ran = await harness.cli(...args({ mine: connectionId(0), theirs, key: key!.id }))
    expect(ran.error).toContain(message)
    expect(ran.error).not.toMatch(/^ {4}at /m)
    expect(ran.code).toBe(code)
  })

  test('refused commands change nothing', async () => {
    const listed = await harness.json<ListedRow[]>('keys', 'list', '--application', application.id)
    expect(listed.filter(({ status }) => status === 'live')).toHaveLength(1)
    const [{ status }] = (await harness.json<ListedRow[]>('connections', 'list', '--limit', '1')) as [
      ListedRow,
    ]
    expect(status).toBe('connected')
  })

  test('refuses a database of a newer or an older version', async () => {
    await using otherVersion = await openCliHarness(store)
    const change = (sql: string) => otherVersion.db.transaction((tx) => tx.run(sql))
    await change("UPDATE `migrations` SET `name` = 'Tomorrow1' WHERE `name` LIKE 'Connections%'")
    expect((await otherVersion.cli('applications', 'list')).error).toContain('newer version')
    await change("DELETE FROM `migrations` WHERE `name` = 'Tomorrow1'")
    expect((await otherVersion.cli('applications', 'list')).error).toContain('lacks 1 migration')
  })
})

describe('odograph', () => {
  test('prints its help without a database', async () => {
    expect(await runProgram(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('Example:') })
    expect(await runProgram(['keys', 'create', '--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('$ odograph keys create --application'),
    })
  })

  test('prints its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(await runProgram(['--version'])).toEqual({ code: 0, out: `${version}\n`, error: '' })
  })

  test('never creates a database, and names the missing file', async () => {
    const { code, error } = await runProgram(['applications', 'list', '--data', '/tmp/odograph-nowhere'])
    expect(code).toBe(1)
    expect(error).toBe(
      'odograph: there is no database /tmp/odograph-nowhere/odograph.db: name its folder with --data or its server in MYSQL_URL, or start the service once\n',
    )
  })

  test('reports all invalid settings in one line, with exit code 2', async () => {
    const environment = { MYSQL_URL: 'localhost', PORT: 'x' }
    const { code, error } = await runProgram(['applications', 'list'], environment)
    expect(code).toBe(2)
    expect(error).toMatch(/^odograph: PORT: .*; MYSQL_URL: .*\n$/)
  })

  test('reports in one line that a server does not answer', async () => {
    const environment = { MYSQL_URL: 'mysql://root:hidden@127.0.0.1:1/x' }
    const { code, error } = await runProgram(['applications', 'list'], environment)
    expect(code).toBe(1)
    expect(error).toMatch(/^odograph: a server does not answer .*odograph doctor.*\n$/)
    expect(error).not.toContain('hidden')
  })
})
