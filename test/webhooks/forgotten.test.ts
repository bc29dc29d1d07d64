import { describe, expect, test } from 'vitest'
import { keyHolder } from '../../src/auth/caller.ts'
import { deleteEndpoint } from '../../src/subgraphs/events/webhooks/endpoints/delete-endpoint.ts'
import { stores } from '../stores.ts'
import { eventually } from '../sync/rig.ts'
import { Inbox } from './inbox.ts'
import { CourierRig } from './rig.ts'

const MINUTE = 60_000

describe.each(stores)('what is still to be sent, on %s', (store) => {
  test.each(['none', 'resource'] as const)(
    'ends as failed once its event is no longer kept, and later events go on, with ordering %s',
    async (ordering) => {
      await using rig = await CourierRig.start(store)
      await using inbox = await Inbox.start({ react: () => ({ status: 500 }) })
      await rig.endpoint(inbox.url, { ordering, retrySeconds: [60] })
      rig.courier()
      await rig.log(5, { vehicles: 1 })
      await eventually(async () => (await rig.statuses())['pending'] === 5)
      const refused = inbox.received.length
      await rig.run('DELETE FROM `events`')
      inbox.react = () => ({ status: 200 })
      await rig.log(3, { vehicles: 1 })
      rig.moveClock(2 * MINUTE)
      await eventually(async () => {
        const { failed, delivered } = await rig.statuses()
        return failed === 5 && delivered === 3
      })
      expect(new Set(inbox.received.slice(refused).map(({ id }) => id))).toEqual(new Set(await rig.logged()))
      const told = await rig.db.rows<{ error: string; n: number }>(
        "SELECT `error`, COUNT(*) AS n FROM `webhook_attempts` WHERE `outcome` = 'blocked' GROUP BY `error`",
      )
      expect(told.map(({ error, n }) => [error, Number(n)])).toEqual([['Its event is no longer kept.', 5]])
    },
  )

  test('to an endpoint that is deleted is sent no more, and the others go on', async () => {
    await using rig = await CourierRig.start(store)
    await using inbox = await Inbox.start()
    await using other = await Inbox.start()
    const { id: endpointId } = await rig.endpoint(inbox.url, { ratePerSecond: 100 })
    await rig.endpoint(other.url)
    const courier = rig.courier()
    await rig.log(1000)
    await inbox.arrived(5)
    await deleteEndpoint(rig.tools, keyHolder(rig.applicationId), { endpointId })
    await rig.log(10)
    await other.arrived(1010)
    await courier.close()
    expect(inbox.received.length).toBeLessThan(1000)
    const left = await rig.one<{ n: number }>('SELECT COUNT(*) AS n FROM `webhook_progress`')
    expect(Number(left.n)).toBe(1)
  })

  test('again to an endpoint that is deleted meanwhile is never sent', async () => {
    await using rig = await CourierRig.start(store)
    await using inbox = await Inbox.start({ react: () => ({ status: 500 }) })
    await using other = await Inbox.start()
    const { id: endpointId } = await rig.endpoint(inbox.url, { retrySeconds: [60, 60] })
    await rig.endpoint(other.url)
    rig.courier()
    await rig.log(3)
    await eventually(async () => (await rig.statuses())['pending'] === 3)
    await deleteEndpoint(rig.tools, keyHolder(rig.applicationId), { endpointId })
    rig.moveClock(2 * MINUTE)
    await rig.log(3)
    await other.arrived(6)
    expect(inbox.received).toHaveLength(3)
  })

  test.each([
    ['for the first time', []],
    ['again', [1, 60]],
  ] as const)(
    'of a connection, %s, leaves nothing of itself where its data go meanwhile',
    async (_when, retrySeconds) => {
      await using rig = await CourierRig.start(store)
      const refusals = retrySeconds.length === 0 ? 0 : 1
      const inbox = await Inbox.start({
        react: (_receipt, { received }) => (received.length > refusals ? 'hang' : { status: 500 }),
      })
      await rig.endpoint(inbox.url, { retrySeconds: [...retrySeconds, 60] })
      rig.courier()
      await rig.log(1)
      await inbox.until(({ unanswered }) => unanswered === 1)
      await rig.run("UPDATE `connections` SET `status` = 'deleting'")
      await rig.run('DELETE FROM `webhook_deliveries`')
      await rig.run('DELETE FROM `webhook_attempts`')
      await rig.run(
        "UPDATE `events` SET `connectionId` = '', `type` = '', `subjectId` = NULL, `detail` = '{}'",
      )
      await inbox[Symbol.asyncDispose]()
      await rig.run("UPDATE `connections` SET `status` = 'deleted'")
      await rig.log(1, { type: 'connection.deleted' })
      await eventually(async () => {
        rig.moveClock(MINUTE)
        return (await rig.deliveries()).some(
          ({ type, attempts }) => type === 'connection.deleted' && attempts > 0,
        )
      })
      expect((await rig.deliveries()).map(({ type }) => type)).toEqual(['connection.deleted'])
      const foreign = await rig.one<{ n: number }>(
        'SELECT COUNT(*) AS n FROM `webhook_attempts` WHERE `deliveryId` NOT IN (SELECT `id` FROM `webhook_deliveries`)',
      )
      expect(Number(foreign.n)).toBe(0)
    },
  )
})
