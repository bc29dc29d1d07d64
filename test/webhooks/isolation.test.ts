import { describe, expect, test } from 'vitest'
import { newId } from '../../src/ids.ts'
import { tableOf } from '../../src/storage/table.ts'
import { WebhookSecret } from '../../src/subgraphs/events/webhooks/webhook-secret.ts'
import type { CourierTools } from '../../src/webhooks/courier/courier.ts'
import { stores } from '../stores.ts'
import { eventually } from '../sync/rig.ts'
import { Inbox } from './inbox.ts'
import { CourierRig, SECRET } from './rig.ts'

describe.each(stores)('endpoints beside each other, on %s', (store) => {
  test('get everything while half of them never answer', async () => {
    await using rig = await CourierRig.start(store)
    await using hanging = await Inbox.start({ react: () => 'hang' })
    await using healthy = await Inbox.start()
    const paths = Array.from({ length: 20 }, (_, index) => `/${index}`)
    await rig.log(100)
    await rig.endpoints(paths.map((path) => hanging.url + path))
    await rig.endpoints(paths.map((path) => healthy.url + path))
    rig.courier({ drainMs: 0, outgoing: patient(rig.tools.outgoing) })
    await healthy.until(({ received }) => received.length === 2000)
    expect(hanging.unanswered).toBeGreaterThanOrEqual(20)
    expect(hanging.received).toHaveLength(hanging.unanswered)
    const each = new Map<string, number>()
    for (const { path } of healthy.received) each.set(path, (each.get(path) ?? 0) + 1)
    expect([...each.values()]).toEqual(Array(20).fill(100))
  })

  test('each get everything once where two workers share them', async () => {
    await using rig = await CourierRig.start(store)
    await using inbox = await Inbox.start()
    rig.courier()
    rig.courier()
    await rig.endpoints(Array.from({ length: 30 }, (_, index) => `${inbox.url}/${index}`))
    for (let batch = 0; batch < 5; batch++) await rig.log(20)
    await eventually(async () => (await rig.statuses())['delivered'] === 3000)
    expect(inbox.received).toHaveLength(3000)
  })

  test('give way to each other where there are more than a worker has at once', async () => {
    await using rig = await CourierRig.start(store)
    await using inbox = await Inbox.start()
    await rig.log(10)
    await rig.endpoints(Array.from({ length: 12 }, (_, index) => `${inbox.url}/${index}`))
    rig.courier({ mostEndpoints: 3 })
    await inbox.until(({ received }) => received.length === 120)
    expect(inbox.received).toHaveLength(120)
  })

  test('are sent nothing more once they are disabled, and all of it when they are enabled again', async () => {
    await using rig = await CourierRig.start(store)
    await using inbox = await Inbox.start()
    const { id } = await rig.endpoint(inbox.url, { ratePerSecond: 100 })
    rig.courier()
    await rig.log(300)
    await inbox.arrived(5)
    await rig.run('UPDATE `webhook_endpoints` SET `disabledAt` = 1, `modifiedAt` = 1')
    await eventually(
      async () =>
        (await rig.one<{ leaseOwner: string | null }>('SELECT * FROM `webhook_progress`')).leaseOwner ===
        null,
    )
    const sent = inbox.received.length
    expect(sent).toBeLessThan(300)
    await rig.log(10)
    expect(inbox.received).toHaveLength(sent)
    await rig.run('UPDATE `webhook_endpoints` SET `disabledAt` = NULL')
    await rig.run('UPDATE `webhook_progress` SET `wakeAt` = 1 WHERE `endpointId` = ?', [id])
    await inbox.arrived(310)
    expect(inbox.doubled).toBe(0)
  })

  test('get by their new settings what is not sent yet', async () => {
    await using rig = await CourierRig.start(store)
    await using before = await Inbox.start()
    await using after = await Inbox.start()
    await rig.endpoint(before.url, { ratePerSecond: 50 })
    rig.courier()
    await rig.log(100)
    await before.arrived(3)
    await rig.run('UPDATE `webhook_endpoints` SET `url` = ?, `ratePerSecond` = NULL', [after.url])
    await eventually(async () => (await rig.statuses())['delivered'] === 100)
    expect(new Set([...before.firstReceipts, ...after.firstReceipts]).size).toBe(100)
    expect(after.received.length).toBeGreaterThan(0)
  })

  test('get what they ask for alone: types by the name they used, connections, tags', async () => {
    await using rig = await CourierRig.start(store)
    await using inbox = await Inbox.start()
    await rig.endpoint(`${inbox.url}/alias`, { types: ['safety_event.added'] })
    await rig.endpoint(`${inbox.url}/elsewhere`, { connectionIds: [newId('connection')] })
    await rig.endpoint(`${inbox.url}/north`, { tags: ['south', 'north'] })
    await rig.endpoint(`${inbox.url}/south`, { tags: ['south'] })
    rig.courier()
    await rig.log(5)
    await rig.log(3, { type: 'safety.added' })
    await inbox.until(({ received }) => received.length === 11)
    const told = inbox.received.map(({ path, event }) => `${path} ${event.type}`)
    expect(new Set(told)).toEqual(
      new Set([
        '/hooks/alias safety_event.added',
        '/hooks/north vehicle.modified',
        '/hooks/north safety.added',
      ]),
    )
    await eventually(
      async () =>
        Number((await rig.one<{ n: number }>('SELECT MIN(`position`) AS n FROM `webhook_progress`')).n) === 8,
    )
    expect(inbox.received).toHaveLength(11)
  })

  test('are told nothing more of the data of a connection that is archived', async () => {
    await using rig = await CourierRig.start(store)
    await using inbox = await Inbox.start()
    await rig.endpoint(inbox.url, { types: ['*'] })
    await rig.run("UPDATE `connections` SET `status` = 'archived'")
    rig.courier()
    await rig.log(5)
    await rig.log(1, { type: 'connection.updated' })
    await inbox.arrived(1)
    expect(inbox.received.map(({ event }) => event.type)).toEqual(['connection.updated'])
  })

  test('verify every message while their secret is rotated again and again', async () => {
    await using rig = await CourierRig.start(store)
    await using inbox = await Inbox.start({ secrets: [SECRET] })
    const endpoint = await rig.endpoint(inbox.url)
    rig.courier()
    for (let turn = 0; turn < 4; turn++) {
      const next = `whsec_${Buffer.from(`not a real secret, number ${turn}`).toString('base64')}`
      await rig.run('UPDATE `webhook_secrets` SET `expiresAt` = ? WHERE `expiresAt` IS NULL', [
        Date.now() + 5000,
      ])
      await rig.db.transaction((tx) => tx.insert(tableOf(WebhookSecret), [rig.secretRow(endpoint, next)]))
      await rig.log(100)
      inbox.secrets.push(next)
      await inbox.arrived((turn + 1) * 100)
    }
    expect(inbox.forged).toEqual([])
    await eventually(async () => {
      rig.moveClock(2000)
      await rig.log(1)
      await inbox.until(({ received }) => received.length > 400)
      return !inbox.received.at(-1)?.headers['webhook-signature']?.includes(' ')
    })
  })

  test('go on where an event has no message', async () => {
    await using rig = await CourierRig.start(store)
    await using inbox = await Inbox.start()
    await rig.log(3)
    await rig.log(1, { type: 'connection.updated' })
    await rig.log(3)
    await rig.run("UPDATE `connections` SET `tokenSealed` = 'nonsense'")
    await rig.endpoint(inbox.url)
    rig.courier()
    await inbox.arrived(6)
    await eventually(async () => (await rig.deliveries()).filter(({ attempts }) => attempts > 0).length === 7)
    expect(await rig.statuses()).toEqual({ delivered: 6, failed: 1 })
    expect(
      await rig.one('SELECT `outcome`, `error` FROM `webhook_attempts` WHERE `outcome` = ?', ['blocked']),
    ).toEqual({
      outcome: 'blocked',
      error: 'No message can be made of this event.',
    })
  })
})

/** Waits for an answer for as long as a test may take. */
const patient = ({ post }: CourierTools['outgoing']): CourierTools['outgoing'] => ({
  post: (request, signal) => post({ ...request, timeoutMs: 600_000 }, signal),
})
