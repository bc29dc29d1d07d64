import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RawRetainedModel } from '../../../src/domain/record-models.ts'
import type { ProviderApi } from '../../../src/providers/provider-api.ts'
import type { Roster, TimeWindow } from '../../../src/providers/provider.ts'
import { type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'
import { temporaryDatabase } from '../../support/factories.ts'
import { LinkedFleet } from '../../support/providers/linked-fleet.ts'
import { modelReadersOf, readModel } from '../../support/providers/read-model.ts'
import { rosterOfFake } from '../../support/providers/roster-of-fake.ts'
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
  const models = Object.keys(modelReadersOf(adapterAt('http://127.0.0.1:1'))) as RawRetainedModel[]
  let fake: RunningFake
  let roster: Roster

  beforeAll(async () => {
    fake = await startFake(subject.provider, { vehicles: subject.vehicles ?? 8, days: DAYS, now: NOW })
    roster = await rosterOfFake(fake)
  })
  afterAll(() => fake[Symbol.asyncDispose]())

  /** Reads a model twice, the second time with unreadable values. */
  async function readBoth(model: RawRetainedModel, depth: Depth) {
    const adapter = adapterAt(fake.url)
    const open = () => adapter.api(subject.credentials(fake.url), new AbortController().signal)
    const read = (api: ProviderApi) => readModel({ adapter, model, api, window, roster })
    const expected = await read(open())
    const found = await read(withUnreadableValues(open(), depth))
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
    expect([...new Set(found.invalidFields.flat())].toSorted()).toEqual(
      innerLists[subject.provider]?.[model] ?? [],
    )
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
