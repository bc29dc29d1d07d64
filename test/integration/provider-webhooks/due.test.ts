import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { JobName } from '../../../src/queue/jobs.ts'
import { enqueuePoll } from '../../../src/queue/poll-jobs.ts'
import { enqueueDue } from '../../../src/sync/schedule/enqueue-due.ts'
import { scheduleMissing } from '../../../src/sync/schedule/schedule.ts'
import { dialects } from '../../support/factories.ts'
import { ProviderWebhooksHarness, type Linked } from '../../support/harnesses/provider-webhooks-harness.ts'

const cadence = { pollMs: 3_600_000, syncMs: 3_600_000 }
const MAX_SYNCS = 256

describe.each(dialects)('a connection with a provider notification on %s', (dialect) => {
  let harness: ProviderWebhooksHarness
  beforeEach(async () => {
    harness = await ProviderWebhooksHarness.start(dialect)
    onTestFinished(() => harness[Symbol.asyncDispose]())
  })

  /** Links a fleet whose sync or poll has been due for some time. */
  async function linkDue(due: 'syncDueAt' | 'pollDueAt', forMs = 0): Promise<Linked> {
    const fleet = await harness.link('motive')
    await harness.hook(fleet)
    const at = harness.tools.clock.now() - forMs
    await harness.db.transaction((tx) =>
      tx.run(`UPDATE \`provider_webhooks\` SET \`${due}\` = ? WHERE \`connectionId\` = ?`, [at, fleet.id]),
    )
    return fleet
  }

  /** Returns the tools with a number of waiting syncs. */
  const withWaitingSyncs = (syncs: number) => ({
    ...harness.tools,
    queue: {
      ...harness.tools.queue,
      add: harness.tools.queue.add.bind(harness.tools.queue),
      hasJob: harness.tools.queue.hasJob.bind(harness.tools.queue),
      waiting: async (name: JobName) =>
        name === 'sync-connection' ? syncs : harness.tools.queue.waiting(name),
    },
  })

  test('stays due if the queue refuses its poll', async () => {
    const fleet = await linkDue('pollDueAt')
    const add = async () => Promise.reject(new Error('no queue'))
    await expect(
      enqueueDue({ ...withWaitingSyncs(0), queue: { ...withWaitingSyncs(0).queue, add } }, cadence),
    ).rejects.toThrow()
    expect(await harness.row(fleet)).toMatchObject({ pollDueAt: expect.anything(), polledAt: null })
    await harness.findDue()
    expect(await harness.tools.queue.waiting('poll-latest')).toBe(1)
    expect(await harness.row(fleet)).toMatchObject({ pollDueAt: null, polledAt: expect.anything() })
  })

  test('is polled again if a poll was already running', async () => {
    const fleet = await harness.link('motive')
    await harness.hook(fleet)
    let polls = 0
    let end = () => undefined as void
    const noop = async () => undefined
    const started = new Promise<void>((markStarted) => {
      const poll = () =>
        new Promise<void>((resolve) => {
          polls++
          end = resolve
          markStarted()
        })
      void harness.tools.queue.work({
        'sync-connection': noop,
        'poll-latest': poll,
        'stamp-visibility': noop,
        'find-due': noop,
        reconcile: noop,
        retention: noop,
        'reconcile-purchases': noop,
        'replay-purchases': noop,
        'delete-connections': noop,
        'remove-abandoned': noop,
      })
    })
    await enqueuePoll(harness.tools.queue, fleet.id, 'LatestVehicleLocation')
    await started
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

  test('is polled while the queue of syncs is full', async () => {
    await linkDue('pollDueAt')
    await enqueueDue(withWaitingSyncs(1000), cadence)
    expect(await harness.tools.queue.waiting('poll-latest')).toBe(1)
  })

  test('is synced after scheduled connections, if the queue has room', async () => {
    const due = await harness.link('motive')
    await scheduleMissing(harness.tools, cadence)
    const fleet = await linkDue('syncDueAt')
    await enqueueDue(withWaitingSyncs(MAX_SYNCS - 1), cadence)
    expect([await harness.syncs(due), await harness.syncs(fleet)]).toEqual([['requested'], []])
    await enqueueDue(withWaitingSyncs(MAX_SYNCS - 1), cadence)
    expect(await harness.syncs(fleet)).toEqual(['requested'])
  })

  test('is synced first if it has waited longest', async () => {
    const fleets = [
      await linkDue('syncDueAt', 1),
      await linkDue('syncDueAt', 3),
      await linkDue('syncDueAt', 2),
    ]
    const synced: string[][] = []
    for (let round = 0; round < 2; round++) {
      await enqueueDue(withWaitingSyncs(MAX_SYNCS - 1), cadence)
      synced.push(await Promise.all(fleets.map(async (fleet) => (await harness.syncs(fleet)).join())))
    }
    expect(synced).toEqual([
      ['', 'requested', ''],
      ['', 'requested', 'requested'],
    ])
  })
})
