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
import { stores } from '../../support/stores.ts'
import { type CliHarness, openCliHarness, runProgram } from '../../support/cli-harness.ts'

const SECRETS = /sk_\w+_\w+|con_tkn_\w+|Sealed|tokenHash|"hash"/

interface Made {
  readonly id: string
  readonly key: string
}

interface Listed {
  readonly id: string
  readonly status: string
  readonly use: string
}

describe.each(stores)('the operator on %s', (store) => {
  let office: CliHarness
  let planted: SeededApplication
  let other: SeededApplication

  beforeAll(async () => {
    office = await openCliHarness(store)
    planted = await seedApplication(
      office.db,
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
    other = await seedApplication(office.db, [() => ({})], [{ createdAt: Date.now() }])
  })
  afterAll(() => office[Symbol.asyncDispose]())

  const connectionIds = (at: number) => planted.connections[at]!.connection.id

  test('makes an application whose secret key opens the service', async () => {
    const made = await office.json<{ id: string; secretKey: string; publishableKey: string }>(
      'applications',
      'create',
      'Acme',
      '--environment',
      'sandbox',
    )
    const authenticate = authenticator(callerLookups(office.db))
    const caller = await authenticate({ authorization: `Bearer ${made.secretKey}` })
    expect(caller).toEqual(keyHolder(made.id, null, { id: expect.any(String), scopes: null }))
    expect(made.publishableKey).toMatch(/^pk_sandbox_/)
  })

  test('a revoked key is refused once the 3 seconds of the cache are over; the others stay good', async () => {
    const whose = ['--application', planted.id] as const
    const { id, key } = await office.json<Made>('keys', 'create', ...whose)
    const authenticate = authenticator(callerLookups(office.db))
    const ask = () => authenticate({ authorization: `Bearer ${key}` })
    const now = performance.now.bind(performance)
    let ahead = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
    try {
      expect((await ask()).applicationId).toBe(planted.id)
      await office.json('keys', 'revoke', id, ...whose)
      expect((await ask()).applicationId).toBe(planted.id)
      ahead = 3001
      await new Promise((resolve) => setTimeout(resolve, 5)) // The cache reads the time once a millisecond.
      await expect(ask()).rejects.toMatchObject({ code: 'unauthorized' })
    } finally {
      clock.mockRestore()
    }
    const left = await authenticate({ authorization: `Bearer ${planted.secretKey}` })
    expect(left.applicationId).toBe(planted.id)
    const listed = await office.json<Listed[]>('keys', 'list', ...whose)
    expect(listed.map(({ id: known, status }) => [known === id, status])).toContainEqual([true, 'revoked'])
  })

  test('no list and no record shows a secret', async () => {
    const shown = [
      ['applications', 'list'],
      ['applications', 'show', planted.id],
      ['keys', 'list', '--application', planted.id],
      ['connections', 'list'],
      ['connections', 'show', connectionIds(0)],
      ['syncs', 'list'],
      ['encryption-key', 'status'],
    ]
    for (const args of shown)
      for (const format of [[], ['--json']]) {
        const { code, out } = await office.cli(...args, ...format)
        expect([args, code]).toEqual([args, 0])
        expect(out).not.toMatch(SECRETS)
        expect(out.length).toBeGreaterThan(10)
      }
  })

  test('lists connections by application, provider, state and whether they are overdue', async () => {
    const ids = async (...args: string[]) =>
      (await office.json<Listed[]>('connections', 'list', ...args)).map(({ id }) => id)
    expect(await ids('--application', planted.id)).toEqual([0, 1, 2].map(connectionIds))
    expect(await ids('--provider', 'elsewhere')).toEqual([connectionIds(2)])
    expect(await ids('--status', 'disconnected')).toEqual([connectionIds(2)])
    expect(await ids('--overdue')).toEqual([connectionIds(0)])
    expect(await ids('--limit', '1', '--after', connectionIds(0))).toEqual([connectionIds(1)])
  })

  test('gives the token of a connection when it is asked for it', async () => {
    const { connectionToken } = await office.json<{ connectionToken: string }>(
      'connections',
      'token',
      connectionIds(0),
    )
    expect(connectionToken).toBe(planted.connections[0]!.token)
  })

  test('calls a deletion off, and archives', async () => {
    const id = other.connections[0]!.connection.id
    const statusAfter = async (verb: string) => (await office.json<Listed>('connections', verb, id)).status
    expect(await statusAfter('delete')).toBe('pending_deletion')
    expect(await statusAfter('undelete')).toBe('connected')
    expect(await statusAfter('archive')).toBe('archived')
    const told = await office.db.rows<{ type: string }>(
      'SELECT `type` FROM `events` WHERE `connectionId` = ? ORDER BY `sequence`',
      [id],
    )
    expect(told.map(({ type }) => type)).toEqual([
      'connection.pending_deletion',
      'connection.updated',
      'connection.updated',
    ])
  })

  test('asks for a sync from a time on, waits for it, and tells how it ended', async () => {
    const connection = connectionIds(1)
    const waiting = office.json<Listed>(
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
        const [sync] = await office.db.rows<{ id: string; startFrom: number }>(
          "SELECT `id`, `startFrom` FROM `syncs` WHERE `connectionId` = ? AND `status` = 'requested'",
          [connection],
        )
        if (!sync) return false
        expect(Number(sync.startFrom)).toBe(Date.UTC(2026, 0, 1))
        await office.db.transaction((tx) =>
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
    const { id } = await office.json<Listed>(
      'syncs',
      'request',
      '--connection',
      connectionIds(0),
      '--days',
      '2',
    )
    expect((await office.json<Listed>('syncs', 'cancel', id)).status).toBe('failed')
    expect((await office.json<Listed>('syncs', 'retry', id)).status).toBe('requested')
    await office.json('syncs', 'cancel', id)
    expect(await office.cli('syncs', 'show', id, '--wait')).toMatchObject({
      code: 1,
      error: expect.stringContaining('the sync failed: Cancelled.'),
    })
  })

  test('prints events as lines of JSON, from an event or a position on, by type', async () => {
    const [first, second, third] = planted.connections[0]!.events.map(({ id }) => id)
    const ids = async (...args: string[]) => {
      const { out } = await office.cli('events', 'list', '--application', planted.id, ...args)
      return out
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { id: string }).id)
    }
    expect(await ids('--limit', '3')).toEqual([first, second, third])
    expect(await ids('--after', String(first), '--limit', '2')).toEqual([second, third])
    expect(await ids('--after', '2', '--limit', '1')).toEqual([third])
    expect(await ids('--type', 'sync.failed', '--connection', connectionIds(0))).toEqual([first])
  })

  test('follows the log until it has as many as were asked for', async () => {
    const { id, connectionId } = eventRow({ applicationId: planted.id, connectionId: connectionIds(0) })
    const following = office.cli(
      'events',
      'list',
      '--application',
      planted.id,
      '--after',
      '3',
      '--follow',
      '--limit',
      '1',
    )
    await office.db.transaction((tx) =>
      tx.run(
        "INSERT INTO `events` (`id`, `applicationId`, `connectionId`, `type`, `occurredAt`, `detail`, `position`) VALUES (?, ?, ?, 'vehicle.added', ?, '{}', 4)",
        [id, planted.id, connectionId, NOON + DAY],
      ),
    )
    expect(JSON.parse((await following).out)).toMatchObject({ id, position: 4, type: 'vehicle.added' })
  })

  const app = unknownId('application')
  const refusals: readonly [
    string,
    (ids: { mine: string; theirs: string; key: string }) => string[],
    number,
    string,
  ][] = [
    ['an unknown noun', () => ['vehicles'], 2, 'unknown command'],
    ['an unknown verb', () => ['keys', 'lst'], 2, 'Did you mean list?'],
    ['an unknown option', () => ['syncs', 'list', '--conection', 'x'], 2, 'Did you mean --connection?'],
    ['keys of nobody', () => ['keys', 'list'], 2, '--application'],
    [
      'a time that is none',
      ({ mine }) => ['syncs', 'request', '--connection', mine, '--start-from', 'now'],
      2,
      '2026-01-31T12:00:00Z',
    ],
    [
      'an environment that is none',
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
      ({ theirs }) => ['keys', 'revoke', theirs, '--application', planted.id],
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
      'calling off what is not to be deleted',
      ({ mine }) => ['connections', 'undelete', mine],
      1,
      'no deletion to cancel',
    ],
    ['an unknown sync', () => ['syncs', 'retry', unknownId('sync')], 1, 'there is no sync'],
    [
      'a sync for a disconnected fleet',
      () => ['syncs', 'request', '--connection', connectionIds(2)],
      1,
      'disconnected',
    ],
    [
      'an event that is not in the log',
      () => ['events', 'list', '--application', planted.id, '--after', newId('event')],
      1,
      'no event with this id',
    ],
    [
      'retrying no job in particular',
      () => ['jobs', 'retry'],
      store === 'sqlite' ? 1 : 2,
      store === 'sqlite' ? 'REDIS_URL' : '--all',
    ],
    [
      'a backup of a server',
      () => ['backup', '/dev/null/x'],
      1,
      store === 'sqlite' ? '/dev/null/x' : 'mysqldump',
    ],
  ]
  test.each(refusals)('refuses %s', async (_name, args, code, says) => {
    const [key] = await office.json<Listed[]>('keys', 'list', '--application', planted.id)
    const theirs = other.connections[0]!.connection.id
    const ran = await office.cli(...args({ mine: connectionIds(0), theirs, key: key!.id }))
    expect(ran.error).toContain(says)
    expect(ran.error).not.toMatch(/^ {4}at /m)
    expect(ran.code).toBe(code)
  })

  test('nothing came of the refusals', async () => {
    const listed = await office.json<Listed[]>('keys', 'list', '--application', planted.id)
    expect(listed.filter(({ status }) => status === 'live')).toHaveLength(1)
    const [{ status }] = (await office.json<Listed[]>('connections', 'list', '--limit', '1')) as [Listed]
    expect(status).toBe('connected')
  })

  test('refuses a database that a newer or an older program has made', async () => {
    await using strange = await openCliHarness(store)
    const change = (sql: string) => strange.db.transaction((tx) => tx.run(sql))
    await change("UPDATE `migrations` SET `name` = 'Tomorrow1' WHERE `name` LIKE 'Connections%'")
    expect((await strange.cli('applications', 'list')).error).toContain('newer version')
    await change("DELETE FROM `migrations` WHERE `name` = 'Tomorrow1'")
    expect((await strange.cli('applications', 'list')).error).toContain('lacks 1 migration')
  })
})

describe('the program', () => {
  test('says what it can do, quickly and without a database', async () => {
    expect(await runProgram(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('Example:') })
    expect(await runProgram(['keys', 'create', '--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('$ odograph keys create --application'),
    })
  })

  test('never makes a database, and says where it has looked', async () => {
    const { code, error } = await runProgram(['applications', 'list', '--data', '/tmp/odograph-nowhere'])
    expect(code).toBe(1)
    expect(error).toBe(
      'odograph: there is no database /tmp/odograph-nowhere/odograph.db: name its folder with --data or its server in MYSQL_URL, or start the service once\n',
    )
  })

  test('names everything that is wrong with the settings, in one line, with exit code 2', async () => {
    const environment = { MYSQL_URL: 'localhost', PORT: 'x' }
    const { code, error } = await runProgram(['applications', 'list'], environment)
    expect(code).toBe(2)
    expect(error).toMatch(/^odograph: PORT: .*; MYSQL_URL: .*\n$/)
  })

  test('says in one line that a server does not answer', async () => {
    const environment = { MYSQL_URL: 'mysql://root:hidden@127.0.0.1:1/x' }
    const { code, error } = await runProgram(['applications', 'list'], environment)
    expect(code).toBe(1)
    expect(error).toMatch(/^odograph: a server does not answer .*odograph doctor.*\n$/)
    expect(error).not.toContain('hidden')
  })
})
