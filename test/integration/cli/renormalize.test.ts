import { describe, expect, onTestFinished, test } from 'vitest'
import type { Id } from '../../../src/domain/ids.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { createConnection } from '../../../src/subgraphs/connections/lifecycle/create-connection.ts'
import { mistaken } from '../../support/sync/mistaken-mapping.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'
import { stores } from '../../support/database/stores.ts'
import { MASTER_KEY, runInProcess } from '../../support/harnesses/cli-harness.ts'

const LONG = 120_000
const command = ['connections', 'renormalize']

/** Returns a fleet that was synced with a mapping error that is fixed now. */
async function syncWithMistake(store: (typeof stores)[number]): Promise<SyncHarness> {
  const mistake = { isMended: false, hidden: [] }
  const harness = await SyncHarness.start(store, {
    vehicles: 2,
    wrapped: (adapter) => mistaken(adapter, mistake),
  })
  onTestFinished(() => harness[Symbol.asyncDispose]())
  await harness.sync()
  return harness
}

/** Creates another connection of the same application. */
async function linkAnother(
  { tools, db, connectionId }: SyncHarness,
  apiKey: string,
): Promise<Id<'connection'>> {
  const { applicationId } = (await findById(db, Connection, connectionId))!
  const provider = tools.registry.find('sandbox')!
  const now = tools.clock.now() + 1000
  const input = { applicationId, provider, credentials: { apiKey }, backfillFrom: null }
  return (await createConnection({ db, secrets: tools.secrets, now }, input)).connection.id
}

describe.each(stores)('a fixed mapping on %s', (store) => {
  test('is tried in a dry run without the encryption key', { timeout: LONG }, async () => {
    const harness = await syncWithMistake(store)
    const { code, error } = await runInProcess(harness.home, harness.home.environment, [
      ...command,
      harness.connectionId,
      '--dry-run',
    ])
    expect([code, error]).toEqual([0, expect.stringMatching(/records read, [\d,]+ would change/)])
  })

  test('is applied to all connections except those deleted during the run', { timeout: LONG }, async () => {
    const harness = await syncWithMistake(store)
    const [next, last] = [
      await linkAnother(harness, 'sandbox-1-1'),
      await linkAnother(harness, 'sandbox-1-2'),
    ]
    expect([harness.connectionId, next, last].toSorted()).toEqual([harness.connectionId, next, last])
    await harness.db.transaction((tx) =>
      tx.run(
        `CREATE TRIGGER \`deleted_meanwhile\` AFTER INSERT ON \`audit_log\` FOR EACH ROW BEGIN
          UPDATE \`connections\` SET \`status\` = 'deleting' WHERE \`id\` = '${harness.connectionId}';
          DELETE FROM \`connections\` WHERE \`id\` = '${next}'; END`,
      ),
    )
    const environment = { ...harness.home.environment, ENCRYPTION_KEY: MASTER_KEY }
    const { code, out, error } = await runInProcess(harness.home, environment, [...command, '--all'])
    expect(code).toBe(1)
    expect(out).toBe('none\n')
    expect(error).toMatch(/^0 records read/m)
    expect(error).toContain(
      `skipped: connection ${harness.connectionId} is being deleted; there is no connection ${next}`,
    )
    const entries = await harness.db.rows<{ targetId: string; detail: string }>(
      "SELECT `targetId`, `detail` FROM `audit_log` WHERE `action` = 'connection.renormalized' ORDER BY `targetId`",
    )
    expect(entries.map(({ targetId, detail }) => [targetId, JSON.parse(detail) as object])).toEqual([
      [harness.connectionId, expect.objectContaining({ outcome: 'failed' })],
      [last, expect.objectContaining({ outcome: 'done' })],
    ])
  })
})
