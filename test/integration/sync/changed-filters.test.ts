import { describe, expect, test } from 'vitest'
import { filteredKinds, type RecordFilter } from '../../../src/subgraphs/tables/filtered-connection.ts'
import { reconcile } from '../../../src/sync/schedule/reconcile.ts'
import { Random } from '../../fuzz/random.ts'
import { stores } from '../../support/database/stores.ts'
import { contextsOver } from '../../support/graph/graph-harness.ts'
import { FilteredFleet } from '../../support/sync/filtered-fleet.ts'
import { readList, RecordMirror } from '../../support/sync/record-mirror.ts'

const MINUTE_MS = 60_000
const STEPS = 40
const names = { vehicles: 'name', drivers: 'name: firstName' } as const
const events = {
  vehicles: { type: 'vehicle.modified', member: 'vehicle' },
  drivers: { type: 'driver.modified', member: 'driver' },
} as const

describe.each(stores)('changed filters on %s', (store) => {
  describe.each(filteredKinds)('of %s', (kind) => {
    test('stamp the records that become visible or hidden, each with an event', async () => {
      await using fleet = await FilteredFleet.start(store, 3)
      const { harness } = fleet
      await harness.sync()
      const [shown, hidden] = ['0', '1'].map((sourceId) => fleet.idOf(kind, sourceId)) as [string, string]
      const modified = async () => {
        const rows = await harness.db.rows<{ id: string; modifiedAt: number }>(
          `SELECT \`id\`, \`modifiedAt\` FROM \`${kind}\``,
        )
        return new Map(rows.map(({ id, modifiedAt }) => [id, Number(modifiedAt)]))
      }
      const steps = [await modified()]
      for (const filters of [{ [kind]: { excludeIds: [hidden] } }, null]) {
        harness.moveClock(MINUTE_MS)
        await fleet.changeFilters(filters)
        await fleet.stamp()
        steps.push(await modified())
      }
      const stampsOf = (id: string) => steps.map((stamps) => stamps.get(id)!)
      expect(new Set(stampsOf(shown)).size).toBe(1)
      expect(new Set(stampsOf(hidden)).size).toBe(3)
      expect(stampsOf(hidden)).toEqual(stampsOf(hidden).toSorted((one, other) => one - other))

      const { type, member } = events[kind]
      const rows = await harness.db.rows<{ detail: string }>(
        'SELECT `detail` FROM `events` WHERE `type` = ? ORDER BY `sequence`',
        [type],
      )
      const records = rows.map(({ detail }) => JSON.parse(detail)[member])
      expect(records.map(({ id, metadata }) => [id, metadata.visibility])).toEqual([
        [hidden, 'hidden_by_exclude_list'],
        [hidden, 'visible'],
      ])
      expect(await harness.count('`filter_changes`')).toBe(0)
    })

    test('bring a reader by `modifiedAfter` to the list of a full read', { timeout: 60_000 }, async () => {
      await using fleet = await FilteredFleet.start(store, 12)
      const { harness } = fleet
      const random = new Random(kind.length)
      const contextFor = contextsOver(harness.db)
      const client = await harness.client()
      const list = { field: kind, selection: names[kind] }
      const wholeList = { ...list, selection: `${names[kind]} metadata { visibility }`, args: 'hidden: true' }
      const [ofShown, ofAll] = [list, wholeList].map((of) => new RecordMirror(contextFor, client, of)) as [
        RecordMirror,
        RecordMirror,
      ]

      const sourceIds = [...fleet.listed[kind].keys()]
      const ids = (probability: number) =>
        random.some(sourceIds, probability).map((sourceId) => fleet.idOf(kind, sourceId))
      const anyFilter = (): RecordFilter => ({
        ...(random.chance(0.4) ? { status: random.pick(['active', 'inactive'] as const) } : {}),
        ...(random.chance(0.3) ? { includeIds: ids(0.5) } : {}),
        ...(random.chance(0.5) ? { excludeIds: ids(0.4) } : {}),
      })
      const edit = () => {
        for (const sourceId of random.some(sourceIds, 0.15))
          fleet.listed[kind].set(sourceId, {
            status: random.pick(['active', 'inactive'] as const),
            name: `edited ${random.below(1000)}`,
          })
      }
      const steps = [
        () => fleet.changeFilters(random.chance(0.2) ? null : { [kind]: anyFilter() }),
        () => fleet.stamp(),
        async () => {
          edit()
          await harness.sync()
        },
        () => ofShown.catchUp(),
        () => ofAll.catchUp(),
      ]
      await harness.sync()
      for (let step = 0; step < STEPS; step++) {
        harness.moveClock(MINUTE_MS)
        for (const act of random.some(steps, 0.5)) await act()
        if (step % 4 > 0) continue
        await fleet.stamp()
        await ofShown.catchUp()
        await ofAll.catchUp()
        expect(bySourceId([...ofAll.copy.values()])).toEqual(
          bySourceId(await readList(contextFor, client, wholeList)),
        )
        // A reader without `hidden: true` is not told what is hidden, but has all that is visible.
        const visible = await readList(contextFor, client, list)
        expect(visible.map(({ id }) => ofShown.copy.get(id))).toEqual(visible)
      }
    })
  })

  test('are stamped once when the job dies between its commits, runs twice or is lost', async () => {
    const count = 1100
    await using fleet = await FilteredFleet.start(store, count)
    const { harness } = fleet
    await harness.sync()
    await fleet.changeFilters({ vehicles: { status: 'inactive' } })
    await fleet.stamp()
    const before = (await harness.events())['vehicle.modified']
    expect(before).toBe(count)

    await fleet.changeFilters(null)
    const killed = new AbortController()
    const stop = harness.db.onStatement((sql) => {
      if (sql.startsWith('UPDATE `vehicles` SET `modifiedAt`')) killed.abort()
    })
    await expect(fleet.stamp(killed.signal)).rejects.toThrow()
    stop()
    expect((await harness.events())['vehicle.modified']).toBe(count + 500)
    expect(await harness.count('`filter_changes`')).toBe(1)

    await reconcile(harness.tools, { syncMs: MINUTE_MS, pollMs: MINUTE_MS })
    expect(await harness.tools.queue.hasJob('stamp-visibility', harness.connectionId)).toBe(true)
    await Promise.all([fleet.stamp(), fleet.stamp()])
    expect((await harness.events())['vehicle.modified']).toBe(2 * count)
    expect(await harness.count('`filter_changes`')).toBe(0)
  })

  test('cost the change itself no statement for each record', async () => {
    const statementsFor = async (count: number) => {
      await using fleet = await FilteredFleet.start(store, count)
      await fleet.harness.sync()
      const statements: string[] = []
      const stop = fleet.harness.db.onStatement((sql) => statements.push(sql))
      await fleet.changeFilters({ vehicles: { status: 'inactive' } })
      stop()
      return statements.length
    }
    expect(await statementsFor(200)).toBe(await statementsFor(2))
  })
})

const bySourceId = <Record extends { readonly sourceId: string }>(records: readonly Record[]): Record[] =>
  records.toSorted((one, other) => (one.sourceId < other.sourceId ? -1 : 1))
