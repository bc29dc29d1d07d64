import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RawRetainedModel } from '../../../src/domain/record-models.ts'
import type { ProviderApi } from '../../../src/providers/provider-api.ts'
import type { Reader, ReaderState, Roster, TimeWindow } from '../../../src/providers/provider.ts'
import { parsePage } from '../../../src/sync/ingest/parse-page.ts'
import { type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'
import { temporaryDatabase } from '../../support/factories.ts'
import { LinkedFleet } from '../../support/providers/linked-fleet.ts'
import { subjects } from '../../support/providers/subjects/subjects.ts'
import { withUnreadableValues, type Depth } from '../../support/providers/unreadable-values.ts'

const DAY_MS = 86_400_000
/** Few, so that each list of Motive fits into one page: a longer one would be read as changed. */
const DAYS = 4
const NOW = '2026-06-15T18:00:00.000Z'
const clock = { now: () => Date.parse(NOW) }
const window: TimeWindow = { from: clock.now() - (DAYS - 1) * DAY_MS, to: clock.now() }

/** Models that are derived from lists of other models. The sync of the other model reports their values. */
const derived: Readonly<Record<string, readonly string[]>> = {
  traccar: ['FaultCodeEvent'],
  samsara: [],
  geotab: ['HOSAvailableTime', 'HOSDailyLog'],
  motive: [],
}

/** Lists inside records, by provider and model. A record is stored without the unreadable items of its lists. */
const innerLists: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  traccar: {},
  samsara: {
    Driver: ['tags'],
    Vehicle: ['tags'],
    Trailer: ['tags'],
    SafetyEvent: ['behaviorLabels', 'media'],
  },
  geotab: {
    Group: ['children'],
    Driver: ['driverGroups'],
    Vehicle: ['groups'],
    Trailer: ['groups'],
    Device: ['groups'],
    HOSLog: ['annotations'],
    LatestVehicleLocation: ['statusData'],
  },
  motive: { HOSLog: ['vehicles'] },
}

describe.each(subjects)('lists with unreadable values from $name', (subject) => {
  const adapterAt = (url: string) => subject.adapter(url, clock)
  const readersOf = (url: string) => {
    const { readers, latest } = adapterAt(url)
    return { ...readers, ...latest } as Readonly<Record<string, Reader<object>>>
  }
  const models = Object.keys(readersOf('http://127.0.0.1:1')) as RawRetainedModel[]
  let fake: RunningFake
  let roster: Roster

  beforeAll(async () => {
    fake = await startFake(subject.provider, { vehicles: subject.vehicles ?? 8, days: DAYS, now: NOW })
    roster = await rosterOf(fake)
  })
  afterAll(() => fake[Symbol.asyncDispose]())

  /** Reads a model twice, the second time with unreadable values. */
  async function readBoth(model: RawRetainedModel, depth: Depth) {
    const reader = readersOf(fake.url)[model] as Reader<object>
    const open = () => adapterAt(fake.url).api(subject.credentials(fake.url), new AbortController().signal)
    const expected = await readAll(model, reader, open(), roster)
    const found = await readAll(model, reader, withUnreadableValues(open(), depth), roster)
    expect(expected.unreadable).toBe(0)
    return { expected, found }
  }

  test.each(models)('leave out the values alone from the records of %s', async (model) => {
    const { expected, found } = await readBoth(model, 'outer')
    expect(found.normalized).toEqual(expected.normalized)
    expect(found.unreadable > 0).toBe(!derived[subject.provider]?.includes(model))
  })

  test.each(models)('leave out the values alone from the lists inside the records of %s', async (model) => {
    const { expected, found } = await readBoth(model, 'inner')
    expect(found.normalized).toEqual(expected.normalized)
    expect([...found.fields].toSorted()).toEqual(innerLists[subject.provider]?.[model] ?? [])
  })

  test.each<Depth>(['outer', 'inner'])(
    'are stored by a sync without the values, with issues: %s',
    async (depth) => {
      await using db = await temporaryDatabase('sqlite')
      const withValues: typeof subject = {
        ...subject,
        adapter: (...options) => {
          const adapter = subject.adapter(...options)
          return { ...adapter, api: (...account) => withUnreadableValues(adapter.api(...account), depth) }
        },
      }
      const fleet = await LinkedFleet.link({ db, subject: withValues, fake, now: NOW })
      const { sync, issues } = await fleet.sync()
      expect(sync).toBe('completed')
      const vehicles = await fake.truth<{ deletedAt: unknown }[]>('Vehicle')
      expect(await fleet.count('vehicles')).toBe(vehicles.filter(({ deletedAt }) => deletedAt == null).length)
      expect(issues.length > 0).toBe(depth === 'outer' || subject.provider !== 'traccar')
      await fleet.close()
    },
  )
})

const rosters = { vehicle: 'Vehicle', driver: 'Driver', trailer: 'Trailer' } as const

/** Returns the roster that is stored after a sync has read it. */
async function rosterOf(fake: RunningFake): Promise<Roster> {
  const ids = new Map<string, readonly string[]>()
  for (const [kind, model] of Object.entries(rosters)) {
    const members = await fake.truth<{ sourceId: string }[]>(model).catch(() => [])
    ids.set(kind, members.map(({ sourceId }) => sourceId).toSorted())
  }
  return {
    sourceIdsAfter: async (kind, after, limit) =>
      (ids.get(kind) ?? []).filter((id) => id > after).slice(0, limit),
  }
}

/** Reads all pages of a model. Also returns the number of unreadable records, and the lists with unreadable items. */
async function readAll(model: RawRetainedModel, reader: Reader<object>, api: ProviderApi, roster: Roster) {
  const normalized: object[] = []
  const fields = new Set<string>()
  let unreadable = 0
  for (let state: ReaderState | undefined = null; state !== undefined;) {
    const page = await reader.read(api, state, window, roster)
    const parsed = parsePage({ model, reader, asOf: window.to }, page.records, {
      onUnreadable: () => (unreadable += 1),
      onMisfits: (names) => names.forEach((name) => fields.add(name)),
    })
    normalized.push(...parsed.map((record) => record.normalized))
    state = page.next === null || page.isCaughtUp ? undefined : page.next
  }
  return { normalized, unreadable, fields }
}
