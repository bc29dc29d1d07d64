import { describe, expect, test } from 'vitest'
import { stores } from '../stores.ts'
import { eventually } from '../sync/rig.ts'
import { Inbox } from './inbox.ts'
import { CourierRig, SECRET } from './rig.ts'

describe.each(stores)('the courier, on %s', (store) => {
  test('tells an endpoint the log, each event once, signed, and records it', async () => {
    await using rig = await CourierRig.start(store)
    await using inbox = await Inbox.start({ secrets: [SECRET] })
    await rig.endpoint(inbox.url)
    rig.courier()
    await rig.log(700)
    await inbox.arrived(700)
    expect(inbox.forged).toEqual([])
    expect(inbox.doubled).toBe(0)
    expect(new Set(inbox.firstReceipts)).toEqual(new Set(await rig.logged()))
    await eventually(async () => (await rig.statuses())['delivered'] === 700)
    await eventually(
      async () =>
        (await rig.one<{ position: number }>('SELECT `position` FROM `webhook_progress`')).position === 700,
    )
    await rig.log(5)
    await inbox.arrived(705)
  })
})
