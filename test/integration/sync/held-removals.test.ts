import { describe, expect, test } from 'vitest'
import { rosterIds } from '../../../src/sync/ingest/roster-ids.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { MASTER_KEY, runInProcess } from '../../support/harnesses/cli-harness.ts'
import { stores } from '../../support/database/stores.ts'
import { ListedFleet, numbers } from '../../support/sync/listed-fleet.ts'
import type { SyncHarness } from '../../support/sync/sync-harness.ts'

const FLEET = 100
const HOUR_MS = 3_600_000
const QUARTER_HOUR = 0.25

describe.each(stores)('a list that lacks many records, on %s', (store) => {
  describe.each([
    ['one page', FLEET],
    ['several pages', 30],
  ])('in %s', (_, pageSize) => {
    const startFleet = () => ListedFleet.start(store, FLEET, pageSize)

    test('that is empty for an hour removes nothing, and opens one issue', async () => {
      await using fleet = await startFleet()
      fleet.listed = []
      for (let sync = 0; sync < 4; sync++) await fleet.syncAfter(QUARTER_HOUR)
      expect(await fleet.removed()).toEqual([0, 0])
      expect(await fleet.issues()).toEqual([
        {
          status: 'ongoing',
          code: 'provider_data_inaccessible',
          model: 'Vehicle',
          message:
            '100 of 100 Vehicle records have been missing from the list of Sandbox since 2026-06-01T00:15:00.000Z. ' +
            'They are kept, because the account may have lost its access to them. ' +
            'A sync after 2026-06-01T01:15:00.000Z removes those that are still missing. ' +
            'To keep them, restore the permissions of the account at Sandbox.',
        },
      ])
      expect((await fleet.harness.events())['issue.reported']).toBe(1)

      fleet.listed = numbers(FLEET)
      await fleet.syncAfter(QUARTER_HOUR)
      expect(await fleet.issues()).toMatchObject([{ status: 'resolved' }])
      expect(await fleet.removed()).toEqual([0, 0])
      expect(await fleet.harness.events()).toMatchObject({ 'vehicle.added': FLEET, 'issue.resolved': 1 })

      // The hold has ended, so the next empty list starts another one.
      fleet.listed = []
      await fleet.syncAfter(2)
      expect(await fleet.removed()).toEqual([0, 0])
      expect(await fleet.issues()).toMatchObject([{ status: 'ongoing' }])
    })

    test('that is empty again after an hour removes the records, with events', async () => {
      await using fleet = await startFleet()
      fleet.listed = []
      await fleet.syncAfter(QUARTER_HOUR)
      await fleet.syncAfter(1)
      expect(await fleet.removed()).toEqual([FLEET, FLEET])
      expect(await fleet.issues()).toMatchObject([{ status: 'resolved' }])
      await fleet.syncAfter(1)
      expect(await fleet.removed()).toEqual([FLEET, FLEET])
      expect(await fleet.harness.events()).toMatchObject({ 'issue.reported': 1, 'issue.resolved': 1 })
      expect(await fleet.harness.count('`held_removals`')).toBe(0)
    })

    test('removes only the records that both syncs missed, and judges the others', async () => {
      await using fleet = await startFleet()
      fleet.listed = numbers(60)
      await fleet.syncAfter(QUARTER_HOUR)
      // 10 records return, and 5 others are missing.
      fleet.listed = numbers(70, 5)
      await fleet.syncAfter(QUARTER_HOUR)
      expect(await fleet.removed()).toEqual([0, 0])
      expect(await fleet.issues()).toMatchObject([{ message: expect.stringMatching(/^35 of 100 Vehicle /) }])
      // The returned records, and 30 others, are missing.
      fleet.listed = numbers(60, 30)
      await fleet.syncAfter(1)
      expect(await fleet.presentVehicles()).toEqual(numbers(70))
      expect(await fleet.removed()).toEqual([30, 30])
      expect(await fleet.issues()).toMatchObject([
        { status: 'ongoing', message: expect.stringMatching(/^40 of 70 Vehicle /) },
      ])
      await fleet.syncAfter(1)
      expect(await fleet.presentVehicles()).toEqual(numbers(60, 30))
      expect(await fleet.removed()).toEqual([70, 70])
      expect(await fleet.issues()).toMatchObject([{ status: 'resolved' }])
    })

    test('removes a plausible number of further records together with the held ones', async () => {
      await using fleet = await startFleet()
      fleet.listed = numbers(60)
      await fleet.syncAfter(QUARTER_HOUR)
      fleet.listed = numbers(57)
      await fleet.syncAfter(1)
      expect(await fleet.presentVehicles()).toEqual(numbers(57))
      expect(await fleet.removed()).toEqual([43, 43])
      expect(await fleet.issues()).toMatchObject([{ status: 'resolved' }])
    })

    test('does not count a sync that fails, or that cannot read a record', async () => {
      await using fleet = await startFleet()
      fleet.listed = numbers(60)
      await fleet.syncAfter(QUARTER_HOUR)
      fleet.onPage = () => {
        throw new Error('the provider is down')
      }
      await expect(fleet.syncAfter(1)).rejects.toThrow('down')
      fleet.onPage = () => undefined
      fleet.isUnreadable = (vehicle) => vehicle === 3
      await fleet.syncAfter(1)
      expect(await fleet.removed()).toEqual([0, 0])
      const held = expect.objectContaining({
        status: 'ongoing',
        code: 'provider_data_inaccessible',
      }) as object
      expect(await fleet.issues()).toEqual(expect.arrayContaining([held]))
      fleet.isUnreadable = () => false
      await fleet.syncAfter(1)
      expect(await fleet.removed()).toEqual([40, 40])
      expect(await fleet.harness.count("`issues` WHERE `status` = 'ongoing'")).toBe(0)
    })
  })

  test.each([
    [100, 80, 'at most 20 percent', 0],
    [100, 79, 'more than 20 percent', 21],
    [20, 11, 'fewer than 10 records', 0],
    [20, 10, '10 records', 10],
    [3, 0, 'all of a small fleet', 3],
    [1, 0, 'the only record', 1],
  ])('of %i records has only %i of them: %s', async (before, after, _, held) => {
    await using fleet = await ListedFleet.start(store, before, 30)
    fleet.listed = numbers(after)
    await fleet.syncAfter(1)
    const removed = held === 0 ? before - after : 0
    expect(await fleet.removed()).toEqual([removed, removed])
    expect(await fleet.issues()).toHaveLength(held === 0 ? 0 : 1)
    await fleet.syncAfter(1)
    expect(await fleet.removed()).toEqual([before - after, before - after])
  })

  test('removes more records than one commit', async () => {
    await using fleet = await ListedFleet.start(store, 1100, 400)
    fleet.listed = numbers(1099, 600)
    await fleet.syncAfter(1)
    expect(await fleet.removed()).toEqual([0, 0])
    fleet.listed = numbers(1050, 600)
    await fleet.syncAfter(1)
    expect(await fleet.presentVehicles()).toEqual(numbers(1050, 600))
    expect(await fleet.removed()).toEqual([650, 650])
    expect(await fleet.issues()).toMatchObject([{ status: 'resolved' }])
  })

  test('is removed once by concurrent workers', async () => {
    await using fleet = await ListedFleet.start(store, FLEET, 30)
    const { harness } = fleet
    fleet.listed = numbers(60)
    for (const hours of [1, 2]) {
      harness.moveClock(hours * HOUR_MS)
      const { id } = await harness.request()
      await Promise.all([harness.run(id), harness.run(id), harness.run(id)])
    }
    expect(await fleet.removed()).toEqual([40, 40])
    expect(await harness.events()).toMatchObject({ 'issue.reported': 1, 'issue.resolved': 1 })
  })

  test.each([
    ['one page', FLEET],
    ['several pages', 30],
  ])(
    'in %s gives the same result after a failure of any commit',
    { timeout: 240_000 },
    async (_, pageSize) => {
      await using fleet = await ListedFleet.start(store, FLEET, pageSize)
      const { harness } = fleet
      let rounds = 0
      for (let hasFailed = true; hasFailed; rounds++) {
        fleet.listed = numbers(60)
        hasFailed = await syncWithFailure(harness, rounds)
        expect(await fleet.presentVehicles()).toEqual(numbers(FLEET))
        expect(await harness.count("`issues` WHERE `status` = 'ongoing'")).toBe(1)

        hasFailed = (await syncWithFailure(harness, rounds)) || hasFailed
        expect(await fleet.presentVehicles()).toEqual(numbers(60))
        expect((await harness.events())['vehicle.removed']).toBe(40 * (rounds + 1))

        fleet.listed = numbers(FLEET)
        await fleet.syncAfter(1)
        expect(await harness.count("`issues` WHERE `status` = 'ongoing'")).toBe(0)
        expect(await harness.count('`held_removals`')).toBe(0)
      }
      expect(rounds).toBeGreaterThan(4)
    },
  )

  test('needs no statement for each record, and without removals none at all', async () => {
    await using fleet = await ListedFleet.start(store, 400, 400)
    const statementsOf = async (listed: readonly number[]) => {
      fleet.listed = listed
      const statements: string[] = []
      const stop = fleet.harness.db.onStatement((sql) => statements.push(sql))
      await fleet.syncAfter(1)
      stop()
      return statements
    }
    const ordinary = await statementsOf(numbers(400))
    const ofHolds = ordinary.filter((sql) => /(FROM|INTO|UPDATE) `held_removals`/.test(sql))
    expect(ofHolds.map((sql) => /FROM `(checkpoints|issues)`/.exec(sql)?.[1]).toSorted()).toEqual([
      'checkpoints',
      'issues',
    ])
    const started = await statementsOf(numbers(300))
    await statementsOf(numbers(400))
    expect(await statementsOf(numbers(10))).toHaveLength(started.length)
  })

  test('leaves the held records out of requests for each vehicle', async () => {
    await using fleet = await ListedFleet.start(store, FLEET, 30)
    const connection = (await findById(fleet.harness.db, Connection, fleet.harness.connectionId))!
    const roster = async () =>
      (await rosterIds(fleet.harness.db, connection).sourceIdsAfter('vehicle', '', 1000)).length
    fleet.listed = numbers(60)
    await fleet.syncAfter(1)
    expect([await roster(), (await fleet.presentVehicles()).length]).toEqual([60, FLEET])
    fleet.listed = numbers(FLEET)
    await fleet.syncAfter(1)
    expect(await roster()).toBe(FLEET)
  })

  describe('waits for an operator', () => {
    async function startHold(): Promise<ListedFleet> {
      const fleet = await ListedFleet.start(store, FLEET, FLEET)
      fleet.listed = numbers(60)
      await fleet.syncAfter(1)
      return fleet
    }

    async function cli({ harness }: ListedFleet, command: string, ...options: string[]) {
      const environment = { ...harness.home.environment, ENCRYPTION_KEY: MASTER_KEY }
      const args = ['--json', 'connections', command, harness.connectionId, ...options]
      const { code, out } = await runInProcess(harness.home, environment, args)
      return { code, removals: code === 0 ? (JSON.parse(out) as object[]) : [] }
    }

    test('who confirms it: the next sync removes the records', async () => {
      await using fleet = await startHold()
      expect((await cli(fleet, 'held-removals')).removals).toEqual([
        {
          model: 'Vehicle',
          missing: 40,
          total: FLEET,
          since: '2026-06-01T01:00:00.000Z',
          dueAt: '2026-06-01T02:00:00.000Z',
          decision: null,
        },
      ])
      const confirmed = await cli(fleet, 'confirm-removals', '--model', 'Vehicle')
      expect(confirmed).toMatchObject({ code: 0, removals: [{ model: 'Vehicle', decision: 'confirmed' }] })
      expect(await fleet.issues()).toMatchObject([
        { status: 'ongoing', message: expect.stringContaining('confirmed') },
      ])
      expect(await fleet.removed()).toEqual([0, 0])
      await fleet.syncAfter(QUARTER_HOUR)
      expect(await fleet.removed()).toEqual([40, 40])
      expect(await fleet.issues()).toMatchObject([{ status: 'resolved' }])
    })

    test('who denies it: the records stay until the denial is lifted', async () => {
      await using fleet = await startHold()
      expect((await cli(fleet, 'deny-removals')).code).toBe(0)
      for (let sync = 0; sync < 2; sync++) await fleet.syncAfter(10)
      expect(await fleet.removed()).toEqual([0, 0])
      expect(await fleet.issues()).toMatchObject([
        { status: 'ongoing', message: expect.stringContaining('denied') },
      ])
      expect(await cli(fleet, 'deny-removals', '--lift')).toMatchObject({
        removals: [{ model: 'Vehicle', decision: null }],
      })
      await fleet.syncAfter(QUARTER_HOUR)
      expect(await fleet.removed()).toEqual([40, 40])
    })

    test('who denies it: the denial ends when the records are back', async () => {
      await using fleet = await startHold()
      await cli(fleet, 'deny-removals')
      fleet.listed = numbers(FLEET)
      await fleet.syncAfter(1)
      expect(await fleet.issues()).toMatchObject([{ status: 'resolved' }])
      expect((await cli(fleet, 'held-removals')).removals).toEqual([])
      expect((await cli(fleet, 'confirm-removals')).code).toBe(1)
    })

    test('and refuses other applications and other models', async () => {
      await using fleet = await startHold()
      for (const options of [
        ['--application', 'app_01M7XZ3JF90H8EC8HYVB2R0P6F'],
        ['--model', 'Driver'],
      ])
        expect((await cli(fleet, 'confirm-removals', ...options)).code).toBe(1)
      expect((await cli(fleet, 'held-removals')).removals).toMatchObject([{ decision: null }])
    })
  })
})

/**
 * Runs a sync whose first attempt fails at a commit, given by its number. The second attempt runs two hours later.
 * Returns whether the first one failed.
 */
async function syncWithFailure(harness: SyncHarness, failingCommit: number): Promise<boolean> {
  const { db } = harness.tools
  let commits = 0
  const transaction: typeof db.transaction = (work, again) =>
    db.transaction(async (tx) => {
      const result = await work(tx)
      if (commits++ === failingCommit) throw new Error('the commit failed')
      return result
    }, again)
  const attempt = (count: number, tools = harness.tools) =>
    syncConnection(tools, id, { id: `job-${count}`, attempt: count, signal: new AbortController().signal })

  harness.moveClock(2 * HOUR_MS)
  const { id } = await harness.request()
  const hasFailed = await attempt(1, { ...harness.tools, db: { ...db, transaction } }).then(
    () => false,
    () => true,
  )
  harness.moveClock(2 * HOUR_MS)
  await attempt(2)
  return hasFailed
}
