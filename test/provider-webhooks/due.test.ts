import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { JobName } from '../../src/queue/jobs.ts'
import { queuePoll } from '../../src/queue/polls.ts'
import { findDue } from '../../src/sync/schedule/find-due.ts'
import { scheduleMissing } from '../../src/sync/schedule/schedule.ts'
import { dialects } from '../factories.ts'
import { HooksRig, type Linked } from './rig.ts'

const cadence = { pollMs: 3_600_000, syncMs: 3_600_000 }
const MOST_SYNCS = 256

describe.each(dialects)('what providers hinted at, on %s,', (dialect) => {
  let rig: HooksRig
  beforeEach(async () => {
    rig = await HooksRig.start(dialect)
    onTestFinished(() => rig[Symbol.asyncDispose]())
  })

  /** A connection of which something has been due for so long. */
  async function hinted(due: 'syncDueAt' | 'pollDueAt', forMs = 0): Promise<Linked> {
    const fleet = await rig.link('motive')
    await rig.hook(fleet)
    const at = rig.tools.clock.now() - forMs
    await rig.db.transaction((tx) =>
      tx.run(`UPDATE \`provider_webhooks\` SET \`${due}\` = ? WHERE \`connectionId\` = ?`, [at, fleet.id]),
    )
    return fleet
  }

  /** The tools while so many syncs wait. */
  const beside = (syncs: number) => ({
    ...rig.tools,
    queue: {
      ...rig.tools.queue,
      add: rig.tools.queue.add.bind(rig.tools.queue),
      holds: rig.tools.queue.holds.bind(rig.tools.queue),
      waiting: async (name: JobName) => (name === 'sync-connection' ? syncs : rig.tools.queue.waiting(name)),
    },
  })

  test('stays due where the queue does not take its poll', async () => {
    const fleet = await hinted('pollDueAt')
    const add = async () => Promise.reject(new Error('no queue'))
    await expect(findDue({ ...beside(0), queue: { ...beside(0).queue, add } }, cadence)).rejects.toThrow()
    expect(await rig.row(fleet)).toMatchObject({ pollDueAt: expect.anything(), polledAt: null })
    await rig.findDue()
    expect(await rig.tools.queue.waiting('poll-latest')).toBe(1)
    expect(await rig.row(fleet)).toMatchObject({ pollDueAt: null, polledAt: expect.anything() })
  })

  test('is polled once more where a poll that began before is under way', async () => {
    const fleet = await rig.link('motive')
    await rig.hook(fleet)
    let polls = 0
    let end = () => undefined as void
    const never = async () => undefined
    const begun = new Promise<void>((begins) => {
      const poll = () =>
        new Promise<void>((ends) => {
          polls++
          end = ends
          begins()
        })
      void rig.tools.queue.work({
        'sync-connection': never,
        'poll-latest': poll,
        'find-due': never,
        reconcile: never,
        retention: never,
        'delete-connections': never,
        'remove-abandoned': never,
      })
    })
    await queuePoll(rig.tools.queue, fleet.id, 'LatestVehicleLocation')
    await begun
    await rig.db.transaction((tx) => tx.run('UPDATE `provider_webhooks` SET `pollDueAt` = 1'))
    await rig.findDue()
    end()
    await rig.tools.queue.idle()
    rig.moveClock(5_000)
    await rig.findDue()
    expect(polls).toBe(2)
    expect(await rig.row(fleet)).toMatchObject({ pollDueAt: null })
    end()
  })

  test('is polled though no more syncs can wait', async () => {
    await hinted('pollDueAt')
    await findDue(beside(1000), cadence)
    expect(await rig.tools.queue.waiting('poll-latest')).toBe(1)
  })

  test('has the room that the syncs whose turn has come leave', async () => {
    const due = await rig.link('motive')
    await scheduleMissing(rig.tools, cadence)
    const fleet = await hinted('syncDueAt')
    await findDue(beside(MOST_SYNCS - 1), cadence)
    expect([await rig.syncs(due), await rig.syncs(fleet)]).toEqual([['requested'], []])
    await findDue(beside(MOST_SYNCS - 1), cadence)
    expect(await rig.syncs(fleet)).toEqual(['requested'])
  })

  test('is read by who has waited longest', async () => {
    const fleets = [await hinted('syncDueAt', 1), await hinted('syncDueAt', 3), await hinted('syncDueAt', 2)]
    const synced: string[][] = []
    for (let round = 0; round < 2; round++) {
      await findDue(beside(MOST_SYNCS - 1), cadence)
      synced.push(await Promise.all(fleets.map(async (fleet) => (await rig.syncs(fleet)).join())))
    }
    expect(synced).toEqual([
      ['', 'requested', ''],
      ['', 'requested', 'requested'],
    ])
  })
})
