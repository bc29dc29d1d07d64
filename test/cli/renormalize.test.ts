import { describe, expect, onTestFinished, test } from 'vitest'
import type { Id } from '../../src/ids.ts'
import { one } from '../../src/storage/one.ts'
import { Connection } from '../../src/subgraphs/connections/connection.ts'
import { createConnection } from '../../src/subgraphs/connections/life/create-connection.ts'
import { mistaken } from '../sync/mistaken-mapping.ts'
import { SyncRig } from '../sync/rig.ts'
import { stores } from '../stores.ts'
import { MASTER_KEY, runHere } from './rig.ts'

const LONG = 120_000
const command = ['connections', 'renormalize']

/** A fleet that was synced with a mapping that is mended by now. */
async function synced(store: (typeof stores)[number]): Promise<SyncRig> {
  const mistake = { isMended: false, hidden: [] }
  const rig = await SyncRig.start(store, { vehicles: 2, wrapped: (adapter) => mistaken(adapter, mistake) })
  onTestFinished(() => rig[Symbol.asyncDispose]())
  await rig.sync()
  return rig
}

/** Another connection of the same application. */
async function linked({ tools, db, connectionId }: SyncRig, apiKey: string): Promise<Id<'connection'>> {
  const { applicationId } = (await one(db, Connection, connectionId))!
  const provider = tools.registry.find('sandbox')!
  const now = tools.clock.now() + 1000
  const wish = { applicationId, provider, credentials: { apiKey }, backfillFrom: null }
  return (await createConnection({ db, secrets: tools.secrets, now }, wish)).connection.id
}

describe.each(stores)('a mended mapping on %s', (store) => {
  test('is looked at without the key under which credentials are sealed', { timeout: LONG }, async () => {
    const rig = await synced(store)
    const { code, error } = await runHere(rig.home, rig.home.environment, [
      ...command,
      rig.connectionId,
      '--dry-run',
    ])
    expect([code, error]).toEqual([0, expect.stringMatching(/records read, [\d,]+ would change/)])
  })

  test('reaches all connections but those that are deleted meanwhile', { timeout: LONG }, async () => {
    const rig = await synced(store)
    const [next, last] = [await linked(rig, 'sandbox-1-1'), await linked(rig, 'sandbox-1-2')]
    expect([rig.connectionId, next, last].toSorted()).toEqual([rig.connectionId, next, last])
    await rig.db.transaction((tx) =>
      tx.run(
        `CREATE TRIGGER \`deleted_meanwhile\` AFTER INSERT ON \`audit_log\` FOR EACH ROW BEGIN
          UPDATE \`connections\` SET \`status\` = 'deleting' WHERE \`id\` = '${rig.connectionId}';
          DELETE FROM \`connections\` WHERE \`id\` = '${next}'; END`,
      ),
    )
    const environment = { ...rig.home.environment, ENCRYPTION_KEY: MASTER_KEY }
    const { code, out, error } = await runHere(rig.home, environment, [...command, '--all'])
    expect(code).toBe(1)
    expect(out).toBe('none\n')
    expect(error).toMatch(/^0 records read/m)
    expect(error).toContain(
      `left alone: connection ${rig.connectionId} is being deleted; there is no connection ${next}`,
    )
    const acts = await rig.db.rows<{ targetId: string; detail: string }>(
      "SELECT `targetId`, `detail` FROM `audit_log` WHERE `action` = 'connection.renormalized' ORDER BY `targetId`",
    )
    expect(acts.map(({ targetId, detail }) => [targetId, JSON.parse(detail) as object])).toEqual([
      [rig.connectionId, expect.objectContaining({ outcome: 'failed' })],
      [last, expect.objectContaining({ outcome: 'done' })],
    ])
  })
})
