import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Redis } from 'ioredis'
import { clockFinding, type Finding } from '../../../src/cli/doctor/finding.ts'
import { nodeFinding } from '../../../src/cli/doctor/host.ts'
import { connectionLimitFinding, mysqlServerFindings, versionFinding } from '../../../src/cli/doctor/mysql.ts'
import { redisServerFindings } from '../../../src/cli/doctor/redis.ts'
import { diagnose } from '../../../src/cli/commands/doctor.ts'
import { seedApplication } from '../../support/factories.ts'
import { TemporaryRedis } from '../../support/queue/temporary-redis.ts'
import { stores } from '../../support/database/stores.ts'
import { MASTER_KEY, openCliHarness } from '../../support/harnesses/cli-harness.ts'

const failing = (findings: readonly Finding[]) =>
  findings.filter(({ state }) => state === 'fail').map(({ check }) => check)
const stateOf = (findings: readonly Finding[], check: string) =>
  findings.find((finding) => finding.check === check)?.state

describe.each(stores)('the doctor on %s', (store) => {
  test('reports no failure for a sound installation, with exit code 0', async () => {
    await using harness = await openCliHarness(store, { ENCRYPTION_KEY: MASTER_KEY, PORT: '0' })
    await seedApplication(harness.db, [() => ({})])
    const findings = await harness.json<Finding[]>('doctor')
    expect(failing(findings)).toEqual([])
    const checks = findings.map(({ check }) => check)
    expect(checks).toContain('migrations')
    expect(checks).toContain('encryption key')
    if (store === 'mariadb')
      for (const check of ['rights', 'database clock', 'redis', 'redis writes', 'redis clock', 'eviction'])
        expect([check, stateOf(findings, check)]).toEqual([check, 'ok'])
  })

  test('reports values of a missing key, pending migrations and unknown migrations', async () => {
    const settings = { ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64'), PORT: '0' }
    await using harness = await openCliHarness(store, settings)
    await seedApplication(harness.db, [() => ({})])
    const { code, out } = await harness.cli('doctor')
    expect(code).toBe(1)
    expect(out).toMatch(
      /^fail {2}encryption key +2 values are encrypted with key .{8}, which is missing\n +→ add it/m,
    )

    const change = (sql: string) => harness.db.transaction((tx) => tx.run(sql))
    await change("DELETE FROM `migrations` WHERE `name` LIKE 'Connections%'")
    expect(stateOf(await harness.json<Finding[]>('doctor'), 'migrations')).toBe('warn')
    await change("UPDATE `migrations` SET `name` = 'Tomorrow1' WHERE `name` LIKE 'OpenWrites%'")
    expect((await harness.cli('doctor')).out).toMatch(/^fail {2}migrations +unknown: Tomorrow1/m)
  })
})

const validSettings = { PORT: '0', ENCRYPTION_KEY: MASTER_KEY, DATA_DIR: '/tmp' }

describe('the doctor', () => {
  test('warns of a variable that is spelt almost like a setting', async () => {
    const findings = await diagnose({}, { ...validSettings, CORS_ORIGIN: 'https://app.example.com' })
    expect(findings).toContainEqual({
      check: 'settings',
      state: 'warn',
      found: 'CORS_ORIGIN is no setting',
      advice: 'rename it if you mean CORS_ORIGINS',
    })
  })

  test('reports all invalid settings at once', async () => {
    const findings = await diagnose({}, { PORT: 'x', LOG_LEVEL: 'loud' })
    expect(failing(findings)).toEqual(['settings', 'settings'])
  })

  test.each([
    [{ ...validSettings, MYSQL_URL: 'mysql://root@127.0.0.1:1/odograph' }, 'database', /start the server/],
    [{ ...validSettings, REDIS_URL: 'redis://127.0.0.1:1' }, 'redis', /start the server/],
    [{ ...validSettings, SANDBOX_URL: 'http://127.0.0.1:1' }, 'sandbox', /SANDBOX_URL/],
    [
      { ...validSettings, SUBGRAPH_URLS: 'fleet=http://127.0.0.1:1/graphql' },
      'subgraph fleet',
      /--role subgraph:fleet/,
    ],
    [{ ...validSettings, HOST: '192.0.2.1' }, 'port', /another PORT or HOST/],
  ])('reports a service that does not answer, with advice: %#', async (environment, check, advice) => {
    const findings = await diagnose({}, environment)
    expect(failing(findings)).toEqual([check])
    expect(findings.find(({ state }) => state === 'fail')?.advice).toMatch(advice)
  })

  test('composes a subgraph of the operator with the built-in subgraphs', async () => {
    let sdl = 'type Query { prices: [Int!] }'
    const server = createServer((_request, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ data: { _service: { sdl } } })),
    ).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
    const settings = { ...validSettings, SUBGRAPH_URLS: `prices=${url}` }
    expect(stateOf(await diagnose({}, settings), 'supergraph')).toBe('ok')
    sdl = 'type Query { vehicles: Int }'
    expect(failing(await diagnose({}, settings))).toEqual(['supergraph'])
  })

  test.skipIf(!process.env['MYSQL_URL'])('advises how to create a missing database', async () => {
    const url = Object.assign(new URL(String(process.env['MYSQL_URL'])), { pathname: '/odograph_nowhere' })
    const findings = await diagnose({}, { ...validSettings, MYSQL_URL: url.href })
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'database',
        state: 'fail',
        advice: expect.stringContaining('CREATE DATABASE'),
      }),
    )
  })

  test.skipIf(!process.env['REDIS_URL'])('reports a Redis that may evict jobs', async () => {
    await using server = await TemporaryRedis.start()
    const redis = new Redis(server.url)
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru')
    redis.disconnect()
    const findings = await diagnose({}, { ...validSettings, REDIS_URL: server.url })
    expect(failing(findings)).toEqual(['eviction'])
    expect(stateOf(findings, 'persistence')).toBe('ok')
  })

  test.skipIf(!process.env['REDIS_URL']).each([
    ['is full', ['CONFIG', 'SET', 'maxmemory', '1'], 'OOM', 'free memory'],
    ['is a replica', ['REPLICAOF', '127.0.0.1', '1'], 'READONLY', 'to a primary'],
    [
      'does not permit the prefix',
      ['ACL', 'SETUSER', 'default', 'resetkeys', '~other:*'],
      'NOPERM',
      '~odograph:*',
    ],
  ])('reports a Redis that %s', async (_state, command, found, advice) => {
    await using server = await TemporaryRedis.start()
    const redis = new Redis(server.url)
    await redis.call(String(command[0]), command.slice(1))
    redis.disconnect()
    const findings = await diagnose({}, { ...validSettings, REDIS_URL: server.url })
    expect(failing(findings)).toEqual(['redis writes'])
    expect(findings.find(({ state }) => state === 'fail')).toMatchObject({
      found: expect.stringContaining(found),
      advice: expect.stringContaining(advice),
    })
  })

  test('warns about settings that do not fit together', async () => {
    const production = {
      ...validSettings,
      NODE_ENV: 'production',
      DEMO: 'on',
      GRAPHIQL: 'on',
      REDIS_URL: 'redis://127.0.0.1:1',
    }
    const warnings = (await diagnose({}, production)).filter(({ check }) => check === 'settings')
    expect(warnings.map(({ found }) => found)).toEqual([
      'REDIS_URL without MYSQL_URL',
      'NODE_ENV=production without PUBLIC_URL',
      'introspection or GraphiQL is on in production',
      'the demo is on in production',
    ])
  })
})

describe('the doctor, about the URL of links,', () => {
  const servers = { MYSQL_URL: 'mysql://root@127.0.0.1:1/odograph', REDIS_URL: 'redis://127.0.0.1:1' }
  const settingsFindings = async (environment: Readonly<Record<string, string>>) =>
    (await diagnose({}, { ...validSettings, ...environment }))
      .filter(({ check }) => check === 'settings')
      .map(({ state, found, advice = '' }) => [state, found, advice.split(':')[0]])
  const SET_PUBLIC_URL = 'set PUBLIC_URL, in every process, to where callers reach the gateways'

  test.each(['worker', 'subgraph:connections', 'subgraph:events'])(
    'reports a %s without a configured URL',
    async (role) => {
      expect(await settingsFindings({ ...servers, ROLE: role })).toEqual([
        ['fail', 'a worker or a subgraph without PUBLIC_URL or LINK_URL', SET_PUBLIC_URL],
      ])
      for (const name of ['PUBLIC_URL', 'LINK_URL'])
        expect(
          await settingsFindings({ ...servers, ROLE: role, [name]: 'https://odograph.example.com' }),
        ).toEqual([['ok', 'understood', '']])
    },
  )

  test('warns about several processes without a configured URL', async () => {
    expect(await settingsFindings({ ...servers, ROLE: 'gateway' })).toEqual([
      ['warn', 'MYSQL_URL and REDIS_URL without PUBLIC_URL or LINK_URL', SET_PUBLIC_URL],
    ])
    expect(await settingsFindings({ ...servers, ROLE: 'subgraph:fleet' })).toEqual([['ok', 'understood', '']])
    expect(await settingsFindings({})).toEqual([['ok', 'understood', '']])
  })
})

describe('the findings about a server', () => {
  test.each([
    ['10.5.23-MariaDB', 'fail'],
    ['10.6.1-MariaDB-log', 'ok'],
    ['11.4.2-MariaDB', 'ok'],
    ['5.7.44', 'fail'],
    ['8.0.36', 'ok'],
    ['9.1.0', 'ok'],
  ])('for version %s: %s', (version, state) => {
    expect(versionFinding(version).state).toBe(state)
  })

  const server = {
    version: '8.0.36',
    charset: 'utf8mb4',
    packet: 2 ** 26,
    flush: 1,
    innodb: 'DEFAULT',
    maxConnections: 151,
    connected: 3,
  }
  test.each([
    [{}, []],
    [{ innodb: null }, [['engine', 'fail']]],
    [{ charset: 'latin1' }, [['charset', 'warn']]],
    [{ packet: 2 ** 20 }, [['max_allowed_packet', 'fail']]],
    [{ flush: 2 }, [['durability', 'warn']]],
  ])('for %o: %o', (values, expected) => {
    const found = mysqlServerFindings({ ...server, ...values }).filter(({ state }) => state !== 'ok')
    expect(found.map(({ check, state }) => [check, state])).toEqual(expected)
  })

  test('require connections for at least one process', () => {
    expect(connectionLimitFinding(server, 10)).toMatchObject({
      state: 'ok',
      found: expect.stringContaining('14 processes'),
    })
    expect(connectionLimitFinding(server, 500).state).toBe('fail')
  })

  test.each([
    ['18.20.0', 'fail'],
    ['20.18.3', 'fail'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
  ])('for Node %s: %s', (version, state) => {
    expect(nodeFinding(version).state).toBe(state)
  })

  test('fail Redis 6.0 as too old, and warn about Redis without persistence', () => {
    const states = (version: string) =>
      redisServerFindings(
        new Map([
          ['redis_version', version],
          ['maxmemory_policy', 'noeviction'],
        ]),
      ).map(({ state }) => state)
    expect(states('6.0.16')).toEqual(['fail', 'ok', 'warn'])
    expect(states('7.0.15')).toEqual(['ok', 'ok', 'warn'])
  })

  test.each([
    [0, 'ok'],
    [900, 'ok'],
    [-1500, 'fail'],
    [3_600_000, 'fail'],
  ])('for a clock that is off by %i ms: %s', async (offMs, state) => {
    expect((await clockFinding('clock', async () => Date.now() + offMs)).state).toBe(state)
  })
})
