import { expect, test } from 'vitest'
import { identifyAccount } from '../../../src/subgraphs/connections/life/identify-account.ts'
import { reconnectConnection } from '../../../src/subgraphs/connections/life/reconnect-connection.ts'
import { dialects } from '../../factories.ts'
import { HOUR } from '../durations.ts'
import { ConnectionsRig, type Linked } from '../rig.ts'

/** What is read by time, by what the provider calls it. */
const RECORDS = [
  'SELECT v.`sourceId` AS vehicle, r.`locatedAt`, r.`longitude`, r.`latitude`, r.`speed` FROM `vehicle_locations` AS r JOIN `vehicles` AS v ON v.`id` = r.`vehicleId`',
  'SELECT v.`sourceId` AS vehicle, r.`type`, r.`timestamp` FROM `vehicle_stat_logs` AS r JOIN `vehicles` AS v ON v.`id` = r.`vehicleId`',
  ...['trips', 'hos_logs', 'safety_events', 'fault_code_events'].map(
    (table) => `SELECT r.\`sourceId\` FROM \`${table}\` AS r`,
  ),
]

test.each(dialects)(
  'a fleet whose credentials are revoked signs in again without a gap on %s',
  async (dialect) => {
    await using rig = await ConnectionsRig.start(dialect)
    const provider = rig.tools.registry.find('sandbox')
    if (!provider) throw new Error('there is no sandbox')
    const backfillFrom = rig.tools.clock.now() - 6 * HOUR
    const storedOf = async ({ id }: Linked) => {
      const found = []
      for (const sql of RECORDS) {
        const rows = await rig.db.rows<Record<string, unknown>>(`${sql} WHERE r.\`connectionId\` = ?`, [id])
        found.push(rows.map((row) => Object.values(row).join(' ')).sort())
      }
      return found
    }

    const linked = await rig.link(undefined, { credentials: { apiKey: 'sandbox-3-21' }, backfillFrom })
    await rig.sync(linked)
    rig.moveClock(2 * HOUR)
    await rig.revoke({ ...linked, apiKey: 'sandbox-3-21' })

    const refused = await rig.sync(linked)
    expect(await rig.row('syncs', refused)).toMatchObject({
      status: 'failed',
      failureReason: 'The provider no longer accepts the credentials.',
    })
    expect((await rig.events(linked, 'connection.')).slice(2)).toEqual([
      'connection.first_sync_completed',
      'connection.disconnected',
    ])
    const { data } = await rig.ask(linked.party, '{ connection { status linkUrl } }')
    expect(data).toEqual({
      connection: {
        status: 'DISCONNECTED',
        linkUrl: expect.stringContaining(`https://link.example.com/connection/${linked.id}?key=pk_`),
      },
    })
    expect(await rig.mutate(linked.party, 'requestSync', {}, 'sync { id }')).toMatchObject({
      code: 'CONNECTION_DISCONNECTED',
    })

    rig.moveClock(5 * HOUR)
    const credentials = { apiKey: 'sandbox-3-021' }
    const again = await reconnectConnection(rig.tools, {
      applicationId: linked.applicationId,
      connectionId: linked.id,
      account: await identifyAccount(provider, credentials),
      credentials,
      actor: { kind: 'fleet', id: null },
    })
    expect(again).toMatchObject({ status: 'connected' })
    expect((await rig.events(linked, 'connection.')).at(-1)).toBe('connection.reconnected')
    await rig.run(String(again.lastSyncId))
    expect(await rig.row('syncs', String(again.lastSyncId))).toMatchObject({ status: 'completed' })

    const truth = await rig.link(undefined, { credentials: { apiKey: 'sandbox-3-0021' }, backfillFrom })
    await rig.sync(truth)
    const [expected, stored] = [await storedOf(truth), await storedOf(linked)]
    expect(Math.min(...expected.slice(0, 3).map((rows) => rows.length))).toBeGreaterThan(0)
    expect(stored.map((rows) => rows.length)).toEqual(expected.map((rows) => rows.length))
    expect(stored).toEqual(expected)
  },
)
