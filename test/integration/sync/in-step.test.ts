import { describe, expect, test } from 'vitest'
import { toIso } from '../../../src/domain/time.ts'
import { Random } from '../../fuzz/random.ts'
import { stores } from '../../support/database/stores.ts'
import { contextsOver } from '../../support/graph/graph-harness.ts'
import { editedModelNames, editedModels } from '../../support/sync/edited-models.ts'
import { EditedProvider } from '../../support/sync/edited-provider.ts'
import { readList, RecordMirror } from '../../support/sync/record-mirror.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const HOUR_MS = 3_600_000
const STEP_MS = 12 * HOUR_MS
const STEPS = 60
/** The first sync reads six hours into the past. */
const FIRST_STEP_MS = 5 * HOUR_MS
const SEED = 1
const STARTS_AT = Date.UTC(2026, 8, 1)

describe.each(stores)('a reader in step by `modifiedAfter` and `deleted` on %s', (store) => {
  test('has the records of the provider during a month of random edits', { timeout: 120_000 }, async () => {
    const provider = new EditedProvider(SEED)
    await using harness = await SyncHarness.start(store, {
      vehicles: 1,
      wrapped: provider.wrapped,
      startsAt: STARTS_AT,
    })
    const contextFor = contextsOver(harness.db)
    const client = await harness.client()
    const mirrors = new Map(
      editedModelNames.map((name) => [name, new RecordMirror(contextFor, client, editedModels[name])]),
    )

    /** Checks that the copy equals the list of the service, and this the records of the provider. */
    const checkRecords = async () => {
      for (const name of editedModelNames) {
        const { answerOf } = editedModels[name]
        const listed = await readList(contextFor, client, editedModels[name])
        const mirror = mirrors.get(name)!
        await mirror.catchUp()
        expect(new Map(listed.map((record) => [record.id, record]))).toEqual(mirror.copy)
        const expected = [...provider.valuesOf(name)].map(([sourceId, value]) => ({
          sourceId,
          ...answerOf(value),
        }))
        const shown = listed.map(({ id: _, metadata: __, ...record }) => record)
        expect(bySourceId(shown)).toEqual(bySourceId(expected))
      }
    }

    const random = new Random(SEED)
    for (let step = 0; step <= STEPS; step += 1) {
      if (step > 0) harness.moveClock(STEP_MS)
      provider.step(harness.tools.clock.now(), step === 0 ? FIRST_STEP_MS : STEP_MS)
      await harness.sync()
      for (const mirror of mirrors.values()) if (random.chance(0.4)) await mirror.catchUp()
      if (step % 6 === 0) await checkRecords()
    }
    for (const count of Object.values(provider.edits)) expect(count).toBeGreaterThan(STEPS)
    await checkEvents(harness)
  })
})

const bySourceId = <Record extends { readonly sourceId: string }>(records: readonly Record[]): Record[] =>
  records.toSorted((one, other) => (one.sourceId < other.sourceId ? -1 : 1))

/** Checks that each removal of a record that was listed before has one event, at its time. */
async function checkEvents({ db }: SyncHarness): Promise<void> {
  for (const name of editedModelNames) {
    const { table, eventType } = editedModels[name]
    const removed = await db.rows<{ id: string; deletedAt: number; events: number }>(
      `SELECT r.\`id\`, r.\`deletedAt\`, COUNT(e.\`id\`) AS \`events\` FROM \`${table}\` AS r
        LEFT JOIN \`events\` AS e ON e.\`subjectId\` = r.\`id\` AND e.\`type\` = ? AND e.\`occurredAt\` = r.\`deletedAt\`
        WHERE r.\`deletedAt\` > r.\`addedAt\` GROUP BY r.\`id\`, r.\`deletedAt\``,
      [eventType],
    )
    expect(removed.length).toBeGreaterThan(0)
    for (const { id, deletedAt, events } of removed)
      expect([id, toIso(Number(deletedAt)), Number(events)]).toEqual([id, toIso(Number(deletedAt)), 1])
  }
}
