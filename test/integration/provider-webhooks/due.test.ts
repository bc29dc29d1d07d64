import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { JobName } from '../../../src/queue/jobs.ts'
import { enqueuePoll } from '../../../src/queue/poll-jobs.ts'
import { enqueueDue } from '../../../src/sync/schedule/enqueue-due.ts'
import { scheduleMissing } from '../../../src/sync/schedule/schedule.ts'
import { dialects } from '../../support/factories.ts'
import { ProviderWebhooksHarness, type Linked } from '../../support/provider-webhooks-harness.ts'

const cadence = { pollMs: 3_600_000, syncMs: 3_600_000 }
const MOST_SYNCS = 256

describe.each(dialects)('what providers hinted at, on %s,', (dialect) => {
  let harness: ProviderWebhooksHarness
  beforeEach(async () => {
    harness = await ProviderWebhooksHarness.start(dialect)
    onTestFinished(() => harness[Symbol.asyncDispose]())
  })

  /** A connection of which something has been due for so long. */
  async function hinted(due: 'syncDueAt' | 'pollDueAt', forMs = 0): Promise<Linked> {
    const fleet = await harness.link('motive')
    await harness.hook(fleet)
    const at = harness.tools.clock.now() - forMs
    await harness.db.transaction((tx) =>
      tx.run(`UPDATE \`provider_webhooks\` SET \`${due}\` = ? WHERE \`connectionId\` = ?`, [at, fleet.id]),
    )
    return fleet
  }

  /** The tools while so many syncs wait. */
  const beside = (syncs: number) => ({
    ...harness.tools,
    queue: {
      ...harness.tools.queue,
      add: harness.tools.queue.add.bind(harness.tools.queue),
      hasJob: harness.tools.queue.hasJob.bind(harness.tools.queue),
      waiting: async (name: JobName) =>
        name === 'sync-connection' ? syncs : harness.tools.queue.waiting(name),
    },
  })

  test('stays due where the queue does not take its poll', async () => {
    const fleet = await hinted('pollDueAt')
    const add = async () => Promise.reject(new Error('no queue'))
    await expect(enqueueDue({ ...beside(0), queue: { ...beside(0).queue, add } }, cadence)).rejects.toThrow()
    expect(await harness.row(fleet)).toMatchObject({ pollDueAt: expect.anything(), polledAt: null })
    await harness.findDue()
    expect(await harness.tools.queue.waiting('poll-latest')).toBe(1)
    expect(await harness.row(fleet)).toMatchObject({ pollDueAt: null, polledAt: expect.anything() })
  })

  test('is polled once more where a poll that began before is under way', async () => {
    const fleet = await harness.link('motive')
    await harness.hook(fleet)
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
      void harness.tools.queue.work({
        'sync-connection': never,
        'poll-latest': poll,
        'find-due': never,
        reconcile: never,
        retention: never,
        'delete-connections': never,
        'remove-abandoned': never,
      })
    })
    await enqueuePoll(harness.tools.queue, fleet.id, 'LatestVehicleLocation')
    await begun
    await harness.db.transaction((tx) => tx.run('UPDATE `provider_webhooks` SET `pollDueAt` = 1'))
    await harness.findDue()
    end()
    await harness.tools.queue.idle()
    harness.moveClock(5_000)
    await harness.findDue()
    expect(polls).toBe(2)
    expect(await harness.row(fleet)).toMatchObject({ pollDueAt: null })
    end()
  })

  test('is polled though no more syncs can wait', async () => {
    await hinted('pollDueAt')
    await enqueueDue(beside(1000), cadence)
    expect(await harness.tools.queue.waiting('poll-latest')).toBe(1)
  })

  test('has the room that the syncs whose turn has come leave', async () => {
    const due = await harness.link('motive')
    await scheduleMissing(harness.tools, cadence)
    const fleet = await hinted('syncDueAt')
    await enqueueDue(beside(MOST_SYNCS - 1), cadence)
    expect([await harness.syncs(due), await harness.syncs(fleet)]).toEqual([['requested'], []])
    await enqueueDue(beside(MOST_SYNCS - 1), cadence)
    expect(await harness.syncs(fleet)).toEqual(['requested'])
  })

  test('is read by who has waited longest', async () => {
    const fleets = [await hinted('syncDueAt', 1), await hinted('syncDueAt', 3), await hinted('syncDueAt', 2)]
    const synced: string[][] = []
    for (let round = 0; round < 2; round++) {
      await enqueueDue(beside(MOST_SYNCS - 1), cadence)
      synced.push(await Promise.all(fleets.map(async (fleet) => (await harness.syncs(fleet)).join())))
    }
    expect(synced).toEqual([
      ['', 'requested', ''],
      ['', 'requested', 'requested'],
    ])
  })
})
