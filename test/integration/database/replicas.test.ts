import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { inVersionedTransaction } from '../../../src/sync/ingest/versioned-transaction.ts'
import { toIso } from '../../../src/domain/time.ts'
import { seedApplication, type SeededApplication, vehicleRow } from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { IncrementalReader } from '../../support/storage/incremental-reader.ts'
import { stores } from '../../support/database/stores.ts'
import { KillableMariadb } from '../../support/database/killable-mariadb.ts'

const executor = createInProcessExecutor(supergraph)
const NAMES = '{ vehicles(first: 100) { nodes { name } } }'
const RENAME = `mutation ($id: ID!) { updateConnection(input: { connectionId: $id, externalId: "new" }) {
  connection { externalId vehicles(first: 1) { nodes { name } } } } }`

describe.skipIf(!stores.includes('mariadb'))('with a read replica', () => {
  let primary: KillableMariadb
  let replica: KillableMariadb
  let db: Database
  let contextFor: ContextFor
  let application: SeededApplication

  beforeAll(async () => {
    primary = await KillableMariadb.start(['--log-bin', '--server-id=1', '--binlog-format=ROW'])
    replica = await KillableMariadb.start(['--server-id=2'])
    await replica.query(
      `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${primary.port}, MASTER_USER = 'root',
        MASTER_USE_GTID = slave_pos, MASTER_CONNECT_RETRY = 1`,
    )
    await replica.query('START SLAVE')
    await primary.query('CREATE DATABASE odograph')
    await waitForReplica()
    db = await openDatabase({
      mysqlUrl: primary.url('odograph'),
      replicaUrls: [replica.url('odograph')],
      sqlitePath: '',
      poolSize: 4,
    })
    await db.migrate()
    application = await seedApplication(
      db,
      Array(3).fill((owner: Parameters<typeof vehicleRow>[0]) => ({
        vehicles: Array.from({ length: 5 }, () => vehicleRow(owner, { name: 'as written' })),
      })),
    )
    await waitForReplica()
    contextFor = contextsOver(db, undefined, db.forReading)
  })

  afterAll(async () => {
    await db?.close()
    await replica?.[Symbol.asyncDispose]()
    await primary?.[Symbol.asyncDispose]()
  })

  async function waitForReplica(): Promise<void> {
    const [at] = await primary.query<{ gtid: string }>('SELECT @@gtid_binlog_pos AS gtid')
    await replica.query(`SELECT MASTER_GTID_WAIT('${at?.gtid}', 20)`)
  }

  const query = async (text: string, variables = {}) => {
    const { data, errors } = await ask(executor, contextFor, {
      client: application.client,
      document: documentOf(text),
      variables,
    })
    expect(errors).toBeUndefined()
    return data
  }

  const names = async () => {
    const { vehicles } = (await query(NAMES)) as { vehicles: { nodes: { name: string }[] } }
    return new Set(vehicles.nodes.map(({ name }) => name))
  }

  test('reads use the replica, but the primary after a write in the same operation', async () => {
    await replica.query("UPDATE odograph.vehicles SET name = 'as replicated'")
    expect(await names()).toEqual(new Set(['as replicated']))

    const id = application.connections[0]!.connection.id
    expect(await query(RENAME, { id })).toEqual({
      updateConnection: {
        connection: { externalId: 'new', vehicles: { nodes: [{ name: 'as written' }] } },
      },
    })
  })

  test('reads skip a replica that is down, and use it again later', async () => {
    await replica.query("UPDATE odograph.vehicles SET name = 'as replicated'")
    await replica.kill()
    expect(await names()).toEqual(new Set(['as written']))
    expect(await names()).toEqual(new Set(['as written']))
    await replica.start()
    await expect.poll(names).toEqual(new Set(['as replicated']))
  })

  test('an incremental reader by modifiedAt misses no change despite replication lag', async () => {
    const reader = new IncrementalReader(executor, contextFor, application.client, 4)
    const writers = application.connections.map(async ({ connection, vehicles }) => {
      for (let turn = 0; turn < 30; turn++)
        await inVersionedTransaction({ db, clock: { now: Date.now } }, connection, async (tx, stamp) => {
          const id = vehicles[turn % vehicles.length]!.id
          await tx.run('UPDATE `vehicles` SET `modifiedAt` = ? WHERE `id` = ?', [stamp, id])
          await wait(Math.random() * 5)
        })
    })
    let isWriting = true
    const delaying = (async () => {
      while (isWriting) {
        await replica.query('STOP SLAVE SQL_THREAD')
        await wait(30)
        await replica.query('START SLAVE SQL_THREAD')
        await wait(10)
      }
    })()
    const reading = (async () => {
      while (isWriting) await reader.catchUp()
    })()
    await Promise.all(writers)
    isWriting = false
    await Promise.all([delaying, reading])
    await waitForReplica()
    await reader.catchUp()

    const stored = await primary.query<{ id: string; modifiedAt: number }>(
      'SELECT id, modifiedAt FROM odograph.vehicles',
    )
    expect(reader.copy).toEqual(new Map(stored.map((row) => [row.id, toIso(Number(row.modifiedAt))])))
  })
})
