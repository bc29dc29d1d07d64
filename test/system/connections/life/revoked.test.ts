import { expect, test } from 'vitest'
import { identifyAccount } from '../../../../src/subgraphs/connections/lifecycle/identify-account.ts'
import { reconnectConnection } from '../../../../src/subgraphs/connections/lifecycle/reconnect-connection.ts'
import { dialects } from '../../../support/factories.ts'
import { HOUR } from '../../../support/durations.ts'
import { ConnectionsHarness, type Linked } from '../../../support/harnesses/connections-harness.ts'

/** Records with a time, by the provider's name. */
const RECORDS = [
  'SELECT v.`sourceId` AS vehicle, r.`locatedAt`, r.`longitude`, r.`latitude`, r.`speed` FROM `vehicle_locations` AS r JOIN `vehicles` AS v ON v.`id` = r.`vehicleId`',
  'SELECT v.`sourceId` AS vehicle, r.`type`, r.`timestamp` FROM `vehicle_stat_logs` AS r JOIN `vehicles` AS v ON v.`id` = r.`vehicleId`',
  ...['trips', 'hos_logs', 'safety_events', 'fault_code_events'].map(
    (table) => `SELECT r.\`sourceId\` FROM \`${table}\` AS r`,
  ),
]

test.each(dialects)(
  'a fleet with revoked credentials signs in again without a gap in its data on %s',
  async (dialect) => {
    await using harness = await ConnectionsHarness.start(dialect)
    const provider = harness.tools.registry.find('sandbox')
    if (!provider) throw new Error('no sandbox adapter')
    const backfillFrom = harness.tools.clock.now() - 6 * HOUR
    const storedOf = async ({ id }: Linked) => {
      const found = []
      for (const sql of RECORDS) {
        const rows = await harness.db.rows<Record<string, unknown>>(`${sql} WHERE r.\`connectionId\` = ?`, [
          id,
        ])
        found.push(rows.map((row) => Object.values(row).join(' ')).sort())
      }
      return found
    }

    const linked = await harness.link(undefined, { credentials: { apiKey: 'sandbox-3-21' }, backfillFrom })
    await harness.sync(linked)
    harness.moveClock(2 * HOUR)
    await harness.revoke({ ...linked, apiKey: 'sandbox-3-21' })

    const refused = await harness.sync(linked)
    expect(await harness.row('syncs', refused)).toMatchObject({
      status: 'failed',
      failureReason: 'The provider no longer accepts the credentials.',
    })
    expect((await harness.events(linked, 'connection.')).slice(2)).toEqual([
      'connection.first_sync_completed',
      'connection.disconnected',
    ])
    const { data } = await harness.ask(linked.client, '{ connection { status linkUrl } }')
    expect(data).toEqual({
      connection: {
        status: 'DISCONNECTED',
        linkUrl: expect.stringContaining(`https://link.example.com/connection/${linked.id}?key=pk_`),
      },
    })
    expect(await harness.mutate(linked.client, 'requestSync', {}, 'sync { id }')).toMatchObject({
      code: 'CONNECTION_DISCONNECTED',
    })

    harness.moveClock(5 * HOUR)
    const credentials = { apiKey: 'sandbox-3-021' }
    const again = await reconnectConnection(harness.tools, {
      applicationId: linked.applicationId,
      connectionId: linked.id,
      account: await identifyAccount(provider, credentials),
      credentials,
      actor: { kind: 'fleet', id: null },
    })
    expect(again).toMatchObject({ status: 'connected' })
    expect((await harness.events(linked, 'connection.')).at(-1)).toBe('connection.reconnected')
    await harness.run(String(again.lastSyncId))
    expect(await harness.row('syncs', String(again.lastSyncId))).toMatchObject({ status: 'completed' })

    const truth = await harness.link(undefined, { credentials: { apiKey: 'sandbox-3-0021' }, backfillFrom })
    await harness.sync(truth)
    const [expected, stored] = [await storedOf(truth), await storedOf(linked)]
    expect(Math.min(...expected.slice(0, 3).map((rows) => rows.length))).toBeGreaterThan(0)
    expect(stored.map((rows) => rows.length)).toEqual(expected.map((rows) => rows.length))
    expect(stored).toEqual(expected)
  },
)
