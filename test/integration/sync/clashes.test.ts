import { describe, expect, test } from 'vitest'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { stores } from '../../support/database/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

interface List {
  /** Records that the provider sends in addition to one of its own. */
  copiesOf: (record: object) => object[]
}

/** The adapter, whose list of vehicles contains further records. */
function withCopies(adapter: ProviderAdapter, list: List): ProviderAdapter {
  const reader = adapter.readers.Vehicle as Reader<unknown>
  const copying: Reader<unknown> = {
    ...reader,
    async read(...args) {
      const page = await reader.read(...args)
      const [first] = page.records
      return { ...page, records: [...page.records, ...list.copiesOf(first as object)] }
    },
  }
  return { ...adapter, readers: { ...adapter.readers, Vehicle: copying } } as ProviderAdapter
}

/** The adapter, whose list of vehicles repeats its records on a second page with other names. */
function withSecondPage(adapter: ProviderAdapter): ProviderAdapter {
  const reader = adapter.readers.Vehicle as Reader<unknown>
  const repeating: Reader<unknown> = {
    ...reader,
    async read(api, state, ...rest) {
      const { records } = await reader.read(api, null, ...rest)
      return state === null
        ? { records, next: { page: 2 } }
        : { records: records.map((record) => ({ ...(record as object), name: 'Renamed' })), next: null }
    },
  }
  return { ...adapter, readers: { ...adapter.readers, Vehicle: repeating } } as ProviderAdapter
}

describe.each(stores)('two records with the same identity, on %s', (store) => {
  test('are an issue if they differ on one page, until the provider sends one of them only', async () => {
    const list: List = { copiesOf: (record) => [{ ...record, name: 'Another' }] }
    await using harness = await SyncHarness.start(store, {
      vehicles: 4,
      wrapped: (adapter) => withCopies(adapter, list),
    })
    const issues = () =>
      harness.db.rows<{ status: string; message: string }>(
        "SELECT `status`, `message` FROM `issues` WHERE `model` = 'Vehicle'",
      )
    await harness.sync()
    expect(await harness.count('`vehicles` WHERE `deletedAt` IS NULL')).toBe(4)
    expect(await issues()).toEqual([
      {
        status: 'ongoing',
        message: expect.stringMatching(/^1 Vehicle record was not stored: .* the same identity\./),
      },
    ])

    list.copiesOf = (record) => [{ ...record }]
    harness.moveClock(1000)
    await harness.sync()
    expect((await issues()).map(({ status }) => status)).toEqual(['resolved'])
  })

  test('are versions of one record on two pages of a list, which changes while a sync reads it', async () => {
    await using harness = await SyncHarness.start(store, { vehicles: 4, wrapped: withSecondPage })
    await harness.sync()
    expect(await harness.db.rows('SELECT DISTINCT `name` FROM `vehicles` WHERE `deletedAt` IS NULL')).toEqual(
      [{ name: 'Renamed' }],
    )
    expect(await harness.count('`vehicles`')).toBe(4)
    expect(await harness.count('`issues`')).toBe(0)
  })
})
