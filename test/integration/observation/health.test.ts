import { pino } from 'pino'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { createApp } from '../../../src/http/app.ts'
import { HealthCause, type Check, mountHealth } from '../../../src/http/health.ts'
import { bullmqQueue } from '../../../src/queue/bullmq/bullmq-queue.ts'
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts'
import { newId } from '../../../src/domain/ids.ts'
import { EventRow } from '../../../src/storage/outbox.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { readinessChecks } from '../../../src/app/readiness.ts'
import { syncLags } from '../../../src/sync/schedule/sync-lag.ts'
import { Connection, ConnectionStatus, SyncMode } from '../../../src/subgraphs/connections/connection.ts'
import { Sync, SyncStatus } from '../../../src/subgraphs/connections/syncs/sync.ts'
import { outboxBacklog } from '../../../src/webhooks/outbox-backlog.ts'
import * as make from '../../support/factories.ts'
import { TemporaryRedis } from '../../support/queue/temporary-redis.ts'
import { withRedis } from '../../support/queue/queue-harness.ts'
import { ObservedService, until } from '../../support/observation/observed-service.ts'

const passes = { name: 'passing', run: () => Promise.resolve() }
const fails = (name: string, error: Error, isPartial = false): Check => ({
  name,
  isPartial,
  run: () => Promise.reject(error),
})

async function readiness(checks: readonly Check[], isDraining = () => false) {
  const app = createApp({ log: pino({ level: 'silent' }) })
  mountHealth(app, checks, isDraining)
  const response = await app.inject('/readyz')
  const alive = (await app.inject('/healthz')).statusCode
  await app.close()
  return { status: response.statusCode, body: response.json(), alive }
}

describe('/readyz', () => {
  test('has the message of a HealthCause, and only the code of another error', async () => {
    const secret = Object.assign(new Error('root:secret@10.0.0.1'), { code: 'ECONNREFUSED' })
    const { status, body, alive } = await readiness([
      passes,
      fails('redis', new HealthCause('Redis does not answer.')),
      fails('database', secret),
    ])
    expect([status, alive]).toEqual([503, 200])
    expect(body).toEqual({
      status: 'unavailable',
      failures: ['redis', 'database'],
      checks: [
        { name: 'passing', status: 'ok' },
        { name: 'redis', status: 'failed', cause: 'Redis does not answer.' },
        { name: 'database', status: 'failed', cause: 'The check failed: ECONNREFUSED.' },
      ],
    })
  })

  test('is ready if only a partial check fails', async () => {
    const { status, body } = await readiness([
      passes,
      fails('subgraph', new HealthCause('It is down.'), true),
    ])
    expect([status, body.status, body.failures]).toEqual([200, 'degraded', ['subgraph']])
  })

  test('fails a check that does not finish in time', async () => {
    const { status, body } = await readiness([{ name: 'slow', run: () => new Promise(() => undefined) }])
    expect([status, body.checks[0].cause]).toEqual([503, expect.stringContaining('did not finish within')])
  })

  test('is not ready while the service drains', async () => {
    const { status, body, alive } = await readiness([passes], () => true)
    expect([status, body.status, alive]).toEqual([503, 'draining', 200])
  })
})

const causes = async (checks: readonly Check[]): Promise<Record<string, string | undefined>> => {
  const { body } = await readiness(checks)
  const results = body.checks as { name: string; cause?: string }[]
  return Object.fromEntries(results.map(({ name, cause }) => [name, cause]))
}

test.skipIf(!withRedis)('readiness reports an unreachable Redis, and one that evicts keys', async () => {
  await using redis = await TemporaryRedis.start()
  const queue = bullmqQueue({ redisUrl: redis.url, prefix: 'health', onError: () => undefined })
  const db = { checkWrites: () => Promise.resolve() }
  try {
    expect(await causes(readinessChecks({ db, queue }))).toEqual({})
    const admin = new Redis(redis.url)
    await admin.config('SET', 'maxmemory', '100mb')
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
    admin.disconnect()
    expect((await causes(readinessChecks({ db, queue })))['redis maxmemory-policy']).toContain('allkeys-lru')
    await redis.kill()
    expect((await causes(readinessChecks({ db, queue })))['redis']).toContain('REDIS_URL')
  } finally {
    await queue.close()
  }
})

const applicationId = make.applicationRow().id

describe.each(make.dialects)('on %s', (dialect) => {
  const queue = inProcessQueue({ onError: () => undefined })

  test('readiness reports a stalled event log', async () => {
    await using db = await make.temporaryDatabase(dialect)
    const backlog = () => outboxBacklog(db, make.NOON)
    const checks = readinessChecks({ db, queue, backlog })
    expect([await backlog(), await causes(checks)]).toEqual([{ unsequenced: 0, oldestSeconds: 0 }, {}])
    const { id: connectionId } = make.connectionRow(applicationId, 'a-token')
    const waiting = make.eventRow({ applicationId, connectionId }, { occurredAt: make.NOON - make.MINUTE })
    await db.transaction((tx) => tx.insert(tableOf(EventRow), [waiting]))
    expect(await backlog()).toEqual({ unsequenced: 1, oldestSeconds: 60 })
    expect((await causes(checks))['event-log']).toContain('is stalled')
  })

  test('the sync lag is that of the last completed sync, without manual connections', async () => {
    await using db = await make.temporaryDatabase(dialect)
    const seed = async (token: string, values: Partial<Connection>, syncs: readonly Partial<Sync>[]) => {
      const connection = make.connectionRow(applicationId, token, values)
      const owner = { applicationId, connectionId: connection.id }
      const rows = syncs.map((sync, index) =>
        make.syncRow(owner, { id: newId('sync', make.NOON - make.DAY + index), ...sync }),
      )
      const lastSyncId = rows.at(-1)?.id ?? null
      await db.transaction(async (tx) => {
        await tx.insert(tableOf(Sync), rows)
        await tx.insert(tableOf(Connection), [{ ...connection, lastSyncId }])
      })
    }
    const ended = (minutes: number) => ({ completedAt: make.NOON - minutes * make.MINUTE })
    const running = { status: SyncStatus.IN_PROGRESS, completedAt: null }
    const failed = { status: SyncStatus.FAILED, ...ended(1) }
    await seed('fresh', {}, [ended(90), ended(5)])
    await seed('running', {}, [ended(30), running])
    await seed('failing', {}, [ended(50), failed])
    await seed('manual', { syncMode: SyncMode.MANUAL }, [ended(500)])
    await seed('away', { status: ConnectionStatus.DISCONNECTED }, [ended(500)])
    await seed('new', { provider: 'other', createdAt: make.NOON - 2 * make.MINUTE }, [])
    const lags = await syncLags(db, make.NOON, 20 * make.MINUTE)
    expect(lags.toSorted((one, other) => other.connections - one.connections)).toEqual([
      { provider: 'sandbox', connections: 3, lagSeconds: 50 * 60, overdue: 1 },
      { provider: 'other', connections: 1, lagSeconds: 120, overdue: 0 },
    ])
  })
})

test('after SIGTERM it is not ready, serves requests, closes sockets, and exits with 0', async () => {
  await using observed = await ObservedService.start('sqlite', { DRAIN_SECONDS: '2', NODE_ENV: 'production' })
  const { service } = observed
  const { wsUrl, url, secretKey, connectionToken } = service.ready
  const socket = new WebSocket(wsUrl, 'graphql-transport-ws')
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  socket.on('open', () =>
    socket.send(
      JSON.stringify({
        type: 'connection_init',
        payload: { authorization: `Bearer ${secretKey}`, connectionToken },
      }),
    ),
  )
  await new Promise((resolve) => socket.once('message', resolve))
  const exit = service.end('SIGTERM')
  const draining = await until(async () => {
    const response = await fetch(`${url}/readyz`)
    return response.status === 503 ? response : null
  })
  expect(await draining.json()).toMatchObject({ status: 'draining' })
  service.child.kill('SIGTERM')
  const response = await fetch(`${url}/tsp/v1/vehicles`, { headers: service.headers() })
  expect([response.status, response.headers.get('connection')]).toEqual([200, 'close'])
  expect(await closed).toBe(1001)
  expect(await exit).toBe(0)
})
