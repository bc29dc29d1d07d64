import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { newId } from '../../../../src/domain/ids.ts'
import { latestModels } from '../../../../src/domain/record-models.ts'
import { bullmqQueue } from '../../../../src/queue/bullmq/bullmq-queue.ts'
import { inProcessQueue } from '../../../../src/queue/in-process-queue.ts'
import type { Queue } from '../../../../src/queue/queue.ts'
import { tableOf } from '../../../../src/storage/sql/table.ts'
import { LinkRun } from '../../../../src/subgraphs/connections/linking/link-run.ts'
import { enqueueSync, requestSync } from '../../../../src/subgraphs/connections/syncs/request-sync.ts'
import { issuePublicToken } from '../../../../src/subgraphs/connections/tokens/issue-public-token.ts'
import type { WorkerDeps } from '../../../../src/sync/sync-context.ts'
import { startWorker } from '../../../../src/sync/worker.ts'
import { dialects } from '../../../support/factories.ts'
import { eventually } from '../../../support/sync/sync-harness.ts'
import { DAY, HOUR } from '../../../support/durations.ts'
import { ConnectionsHarness, type Linked } from '../../../support/harnesses/connections-harness.ts'
import { everyKey, everyRow, valuesOf } from '../../../support/database/database-dump.ts'
import { decryptedColumn } from '../../../support/secrets/decrypted-column.ts'

/** IP addresses of the deleted fleet and of the other one. */
const ADDRESSES = { fleet: '203.0.113.77', neighbour: '198.51.100.8' } as const

/** Stores personal data, requests and responses in places where no sync writes them. */
async function seed(harness: ConnectionsHarness, linked: Linked): Promise<void> {
  const { id: connectionId, applicationId } = linked
  const now = harness.tools.clock.now()
  await issuePublicToken(harness.db, linked, now)
  await harness.mutate(linked.owner, 'createSession', { connectionIds: [connectionId] }, 'token')
  const run: LinkRun = {
    id: newId('linkRun', now),
    applicationId,
    connectionId,
    isAgain: 0,
    tokenHash: randomUUID(),
    settings: { name: 'Planted Company', externalId: 'planted-external', state: 'planted-state' },
    status: 'done',
    provider: 'sandbox',
    signIn: null,
    credentialsSealed: '',
    problem: null,
    signInsTried: null,
    checkedSince: null,
    agreedAt: now,
    ipAddress: ADDRESSES.fleet,
    userAgent: 'Browser of the fleet',
    oauthStateHash: null,
    oauthBindingHash: null,
    oauthVerifierSealed: '',
    oauthExpiresAt: null,
    createdAt: now,
    expiresAt: now + HOUR,
  }
  await harness.db.transaction((tx) => tx.insert(tableOf(LinkRun), [run]))
  const delivery = newId('webhookDelivery', now)
  const attempt = newId('webhookAttempt', now)
  await insert(harness, 'webhook_deliveries', { id: delivery, applicationId, connectionId })
  await insert(harness, 'webhook_attempts', { id: attempt, deliveryId: delivery, applicationId })
  await insert(harness, 'left_out_records', {
    connectionId,
    applicationId,
    model: 'Trip',
    data: '{"id":"planted-left-out"}',
  })
  await insert(harness, 'held_removals', { connectionId, applicationId })
  await insert(harness, 'filter_changes', { connectionId, applicationId })
  await insert(harness, 'idempotency_keys', { connectionId, applicationId })
}

/** Inserts a row with a value in each required column. */
async function insert(
  harness: ConnectionsHarness,
  table: string,
  given: Record<string, unknown>,
): Promise<void> {
  const columns = await harness.db.rows<{ name: string; type: string; isNeeded: number }>(
    harness.db.dialect === 'mysql'
      ? `SELECT COLUMN_NAME AS name, DATA_TYPE AS type, IS_NULLABLE = 'NO' AS isNeeded
          FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '${table}'`
      : `SELECT name, type, \`notnull\` AS isNeeded FROM pragma_table_info('${table}')`,
  )
  const row = columns.map(({ name, type, isNeeded }) => {
    if (name in given) return [name, given[name]]
    if (/int|real|double/i.test(type)) return [name, Number(isNeeded) ? 1 : null]
    return [name, `planted-${table.slice(8, 12)}-${name}`.slice(0, 48)]
  })
  await harness.db.transaction((tx) =>
    tx.run(
      `INSERT INTO \`${table}\` (${row.map(([name]) => `\`${String(name)}\``).join(', ')}) VALUES (${row.map(() => '?').join(', ')})`,
      row.map(([, value]) => value),
    ),
  )
}

const idsIn = (rows: readonly string[], table: string): string[] =>
  rows
    .filter((row) => row.startsWith(`${table} `))
    .map((row) => String((JSON.parse(row.slice(table.length + 1)) as { id: unknown }).id))

/** Tables of the caller, commit markers and counters. A check ensures that they contain nothing of the fleet. */
const CALLER_TABLES = /^(applications|api_keys|sessions|audit_log|request_log|commits|sqlite_sequence) /

test.each(dialects)('no data of a deleted fleet remains on %s', async (dialect) => {
  await using harness = await ConnectionsHarness.start(dialect)
  const prefix = `forgotten-${randomUUID()}`
  const redisUrl = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379'
  const onError = () => undefined
  const queue: Queue =
    dialect === 'mysql' ? bullmqQueue({ redisUrl, prefix, onError }) : inProcessQueue({ onError })
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const tools: WorkerDeps = { ...harness.tools, queue, log }
  const worker = await startWorker(tools, { pollMs: DAY, syncMs: DAY })

  async function synced(linked: Linked): Promise<void> {
    await harness.fault(linked, { path: '/groups', status: 403, count: 1 })
    const input = { connectionId: linked.id, providerName: 'Sandbox' }
    const sync = await requestSync(harness.db, input, harness.tools.clock.now())
    await enqueueSync({ queue }, sync)
    for (const model of latestModels)
      await queue.add('poll-latest', { connectionId: linked.id, model }, { key: `${linked.id}${model}` })
    await eventually(async () => (await harness.row('syncs', sync.id))['completedAt'] !== null)
    await eventually(async () => {
      const found = await harness.db.rows(
        'SELECT 1 FROM `latest_trailer_locations` WHERE `connectionId` = ? LIMIT 1',
        [linked.id],
      )
      return found.length > 0
    })
  }

  const link = (externalId: keyof typeof ADDRESSES) =>
    harness.link(undefined, {
      externalId,
      tags: [`tag-${externalId}`],
      syncMode: 'manual' as never,
      filters: { vehicles: { status: 'active' }, drivers: { status: 'active' } },
      options: { seeded: `option-${externalId}` },
      agreements: [
        {
          type: 'end-user-agreement',
          agreementUrl: 'https://example.com',
          ipAddress: ADDRESSES[externalId],
          userAgent: `Browser of the ${externalId}`,
        },
      ],
      backfillFrom: harness.tools.clock.now() - 6 * HOUR,
    })

  try {
    const neighbour = await link('neighbour')
    await synced(neighbour)
    const around = await everyRow(harness.db)
    const linked = await link('fleet')
    await synced(linked)
    await seed(harness, linked)

    const its = [...(await everyRow(harness.db))].filter((row) => !around.has(row))
    const tablesIn = (rows: readonly string[]) => new Set(rows.map((row) => row.split(' ', 1)[0]))
    const filled =
      `agreements checkpoints connections drivers events filter_changes held_removals idempotency_keys issues left_out_records link_runs public_tokens raw_points raw_records
        sessions vehicle_locations vehicle_stat_logs vehicles webhook_attempts webhook_deliveries`.split(
        /\s+/,
      )
    expect(filled.filter((table) => !tablesIn(its).has(table)).join()).toBe('')

    await harness.mutate(linked.client, 'deleteConnection', {}, 'message')
    harness.moveClock(DAY)
    await queue.add('delete-connections', {}, { key: 'now' })
    await eventually(async () => (await harness.row('connections', linked.id))['status'] === 'deleted')

    const left = [...(await everyRow(harness.db))].filter((row) => !around.has(row))
    const stub = left.filter((row) => row.startsWith('connections ') && row.includes(linked.id))
    const kept = new Set([...valuesOf(around), ...valuesOf(stub)])
    const ofTheFleet = its.filter((row) => !CALLER_TABLES.test(row))
    // The audit log counts the deleted rows by table.
    const tableNames = its.map((row) => row.slice(0, row.indexOf(' '))).join(' ')
    const markers = [...valuesOf(ofTheFleet), linked.apiKey].filter(
      (value) => !kept.has(value) && !tableNames.includes(value),
    )
    expect(markers.length).toBeGreaterThan(1000)
    expect(markers).toEqual(
      expect.arrayContaining([
        linked.apiKey,
        ADDRESSES.fleet,
        'Browser of the fleet',
        'planted-state',
        'planted-left-out',
      ]),
    )

    const text = left.join('\n')
    expect(markers.filter((marker) => text.includes(marker)).join('\n')).toBe('')
    const inRedis = dialect === 'mysql' ? await everyKey(redisUrl, prefix) : []
    if (dialect === 'mysql') expect(inRedis.length).toBeGreaterThan(0)
    const ours = [linked.id, ...idsIn(its, 'syncs'), ...idsIn(its, 'issues')]
    expect(ours.length).toBeGreaterThan(2)
    expect(ours.filter((id) => inRedis.join('\n').includes(id))).toEqual([])
    const written = [...inRedis, ...lines].join('\n')
    expect(lines.length).toBeGreaterThan(5)
    expect(markers.filter((marker) => written.includes(marker)).join('\n')).toBe('')

    expect(stub).toHaveLength(1)
    expect(await harness.row('connections', linked.id)).toMatchObject({
      credentialsSealed: '',
      externalId: 'fleet',
      filters: null,
      lastSyncId: null,
      options: '{}',
      status: 'deleted',
      tags: '["tag-fleet"]',
    })
    expect(
      decryptedColumn(
        harness.tools.secrets,
        'connections.tokenSealed',
        await harness.row('connections', linked.id),
      ),
    ).toBe(linked.client.token)
    expect([...(await everyRow(harness.db))].filter((row) => around.has(row)).length).toBeGreaterThan(
      around.size - 20,
    )
  } finally {
    await worker.close()
  }
})
