import { describe, expect, test, vi } from 'vitest'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { findById } from '../../../src/storage/find-by-id.ts'
import { Connection } from '../../../src/subgraphs/connections/connection.ts'
import { remap } from '../../../src/sync/remap/remap.ts'
import { requestSync } from '../../../src/subgraphs/connections/syncs/request-sync.ts'
import { stores } from '../../support/database/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const DAY_MS = 86_400_000

interface Mapping {
  /** Whether the mapping of the model is faulty. */
  isBroken: boolean
  /** Values with which a faulty mapping fills a record. Without any, it throws. */
  readonly impossible?: object
}

/** Returns an adapter with a mapping that can fail for one model. */
function withMapping(adapter: ProviderAdapter, kind: 'readers' | 'latest', model: string, mapping: Mapping) {
  const group = adapter[kind] as Readonly<Record<string, Reader<unknown>>>
  const reader = group[model] as Reader<unknown>
  const broken: Reader<unknown> = {
    ...reader,
    normalize(raw, asOf) {
      if (!mapping.isBroken) return reader.normalize(raw, asOf)
      if (!mapping.impossible) throw new Error('unknown format')
      return { ...(reader.normalize(raw, asOf) as object), ...mapping.impossible }
    },
  }
  return { ...adapter, [kind]: { ...group, [model]: broken } } as ProviderAdapter
}

const startHarness = (
  store: (typeof stores)[number],
  kind: 'readers' | 'latest',
  model: string,
  mapping: Mapping,
) =>
  SyncHarness.start(store, { vehicles: 4, wrapped: (adapter) => withMapping(adapter, kind, model, mapping) })

const issuesOf = (harness: SyncHarness, model: string) =>
  harness.db.rows<{ status: string; message: string; lastReportedAt: number }>(
    'SELECT `status`, `message`, `lastReportedAt` FROM `issues` WHERE `model` = ?',
    [model],
  )

describe.each(stores)('an issue about records that cannot be read, on %s', (store) => {
  test.each([
    ['cannot be read', {}],
    ['have impossible values', { impossible: { distanceKilometers: -1 } }],
  ])('stays when later syncs do not read the window of records that %s', async (_fault, faulty) => {
    const mapping = { isBroken: true, ...faulty }
    await using harness = await startHarness(store, 'readers', 'Trip', mapping)
    await harness.sync()
    const [issue] = await issuesOf(harness, 'Trip')
    const startFrom = Date.parse(/startFrom (\S+),/.exec(issue?.message ?? '')?.[1] ?? '')
    expect(issue).toMatchObject({ status: 'ongoing', message: expect.stringMatching(/^\d+ Trip records? w/) })
    expect(startFrom).toBeLessThan(harness.tools.clock.now())

    // The third sync reads the records again, but not the whole window of the first one. The last sync reads neither.
    for (const [isBroken, days] of [
      [true, 7.8],
      [true, 7.8],
      [false, 9],
    ] as const) {
      mapping.isBroken = isBroken
      harness.moveClock(days * DAY_MS)
      await harness.sync()
    }
    const startText = `startFrom ${new Date(startFrom).toISOString()},`
    expect(await issuesOf(harness, 'Trip')).toMatchObject([
      { status: 'ongoing', message: expect.stringContaining(startText) },
    ])
    expect((await harness.events())['issue.resolved']).toBeUndefined()

    const again = await requestSync(
      harness.db,
      { connectionId: harness.connectionId, providerName: 'Sandbox', startFrom },
      harness.tools.clock.now(),
    )
    await harness.run(again.id)
    expect(await issuesOf(harness, 'Trip')).toMatchObject([{ status: 'resolved' }])
    expect((await harness.events())['issue.resolved']).toBe(1)
  })

  test('is resolved by the next sync after a corrected mapping has read all records', async () => {
    const mapping = { isBroken: true }
    await using harness = await startHarness(store, 'readers', 'Trip', mapping)
    await harness.sync()
    harness.moveClock(9 * DAY_MS)
    await harness.sync()
    mapping.isBroken = false
    const connection = await findById(harness.db, Connection, harness.connectionId)
    const adapter = harness.tools.registry.find('sandbox')
    if (!connection || !adapter) throw new Error('no connection')
    for await (const counts of remap(harness.tools, { connection, adapter, models: ['Trip'] }))
      expect(counts.unreadable).toBe(0)
    expect(await harness.count('`left_out_records`')).toBe(0)
    expect(await issuesOf(harness, 'Trip')).toMatchObject([{ status: 'ongoing' }])
    harness.moveClock(9 * DAY_MS)
    await harness.sync()
    expect(await issuesOf(harness, 'Trip')).toMatchObject([{ status: 'resolved' }])
  })

  test('is resolved by the next sync where a model is read as a full list', async () => {
    const mapping = { isBroken: true }
    await using harness = await startHarness(store, 'readers', 'Driver', mapping)
    await harness.sync()
    expect(await issuesOf(harness, 'Driver')).toMatchObject([
      { status: 'ongoing', message: expect.not.stringContaining('startFrom') },
    ])
    mapping.isBroken = false
    harness.moveClock(1000)
    await harness.sync()
    expect(await issuesOf(harness, 'Driver')).toMatchObject([{ status: 'resolved' }])
  })

  test('is reported by polls too, once a minute, and resolved by the next poll that reads all', async () => {
    const mapping = { isBroken: false }
    await using harness = await startHarness(store, 'latest', 'LatestVehicleLocation', mapping)
    await harness.sync()
    mapping.isBroken = true
    const { log } = harness.tools
    using logged = vi.spyOn(log, 'info')
    using warned = vi.spyOn(log, 'warn')
    using failed = vi.spyOn(log, 'error')
    const reportedAt: number[] = []
    for (const seconds of [5, 5, 5, 60]) {
      harness.moveClock(seconds * 1000)
      await harness.poll()
      const [issue] = await issuesOf(harness, 'LatestVehicleLocation')
      expect(issue).toMatchObject({
        status: 'ongoing',
        message: expect.stringMatching(/^4 LatestVehicleLocation records were left out/),
      })
      reportedAt.push(Number(issue?.lastReportedAt))
    }
    expect(new Set(reportedAt).size).toBe(2)
    const fields = {
      model: 'LatestVehicleLocation',
      connectionId: harness.connectionId,
      records: 4,
      reasons: ['unknown format'],
    }
    const line = [fields, 'unreadable data skipped']
    expect(logged.mock.calls).toEqual([line, line])
    expect([...warned.mock.calls, ...failed.mock.calls]).toEqual([])
    expect((await harness.events())['issue.reported']).toBe(1)

    mapping.isBroken = false
    harness.moveClock(5000)
    await harness.poll()
    expect(await issuesOf(harness, 'LatestVehicleLocation')).toMatchObject([{ status: 'resolved' }])
    expect((await harness.events())['issue.resolved']).toBe(1)
  })
})
