import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RawRetainedModel } from '../../../src/domain/record-models.ts'
import type { ProviderApi } from '../../../src/providers/provider-api.ts'
import type { Roster, TimeWindow } from '../../../src/providers/provider.ts'
import { isObject } from '../../../src/platform/is-object.ts'
import { type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'
import { changedAt, valueAt, withoutIndex } from '../../support/providers/changed-values.ts'
import { membersIn, ODD_TEXT, oddValuesOf, ROUNDED } from '../../support/providers/odd-members.ts'
import { membersOfOtherRecords, requiredMembers } from '../../support/providers/odd-members-expected.ts'
import { modelReadersOf, readModel } from '../../support/providers/read-model.ts'
import { RecordedApi } from '../../support/providers/recorded-api.ts'
import { rosterOfFake } from '../../support/providers/roster-of-fake.ts'
import { subjects } from '../../support/providers/subjects/subjects.ts'

const DAY_MS = 86_400_000
const DAYS = 2
const NOW = '2026-06-15T18:00:00.000Z'
const clock = { now: () => Date.parse(NOW) }
const window: TimeWindow = { from: clock.now() - (DAYS - 1) * DAY_MS, to: clock.now() }

describe.each(subjects)('a record of $name with an odd member', (subject) => {
  const adapterAt = (url: string) => subject.adapter(url, clock)
  const models = Object.keys(modelReadersOf(adapterAt('http://127.0.0.1:1'))) as RawRetainedModel[]
  let fake: RunningFake
  let roster: Roster

  beforeAll(async () => {
    fake = await startFake(subject.provider, { vehicles: subject.vehicles ?? 8, days: DAYS, now: NOW })
    roster = await rosterOfFake(fake)
  })
  afterAll(() => fake[Symbol.asyncDispose]())

  test.each(models)('is kept as %s', { timeout: 300_000 }, async (model) => {
    const adapter = adapterAt(fake.url)
    const recorded = new RecordedApi(adapter.api(subject.credentials(fake.url), new AbortController().signal))
    const read = async (api: ProviderApi) => {
      const { normalized, unreadable, invalidFields } = await readModel({
        adapter,
        model,
        api,
        window,
        roster,
      })
      return { normalized, issues: unreadable + invalidFields.length, text: JSON.stringify(normalized) }
    }
    const expected = await read(recorded.replay())
    const found = { lost: new Set<string>(), silent: new Set<string>(), rounded: new Set<string>() }
    for (const { request, response, endpoint } of firstOfEach(recorded))
      for (const path of membersIn(response))
        for (const odd of oddValuesOf(valueAt(response, path))) {
          const name = `${endpoint} ${withoutIndex(path)}`
          if (odd === ODD_TEXT && IS_ID.test(name)) continue
          const changed = changedAt(response, path, odd)
          const { normalized, issues, text } = await read(recorded.replay(request, changed))
          const isTold = issues > 0 || isReadable(odd, valueAt(response, path), text)
          if (text.includes(ROUNDED)) found.rounded.add(name)
          if (!isTold && text !== expected.text) found.silent.add(name)
          if (issues > 0 && normalized.length < expected.normalized.length) found.lost.add(name)
        }
    expect([...found.rounded]).toEqual([])
    expect([...found.lost].toSorted()).toEqual(requiredMembers[subject.provider]?.[model] ?? [])
    expect([...found.silent].toSorted()).toEqual(membersOfOtherRecords[subject.provider]?.[model] ?? [])
  })
})

/** A text is a readable id. */
const IS_ID = /\bid$/

/** Whether an odd text is readable: as another word, or as another id in the place of a reference. */
const isReadable = (odd: unknown, value: unknown, text: string): boolean =>
  odd === ODD_TEXT && (typeof value === 'string' || isObject(value) || text.includes(ODD_TEXT))

/** Returns the first response with records of each endpoint. */
function firstOfEach(recorded: RecordedApi) {
  const responses = new Map<string, { request: string; response: unknown; endpoint: string }>()
  for (const request of recorded.requests) {
    const [endpoint, response] = [endpointOf(request), recorded.responseTo(request)]
    if (!responses.has(endpoint) && membersIn(response).length > 0)
      responses.set(endpoint, { request, response, endpoint })
  }
  return responses.values()
}

interface Call {
  readonly method?: string
  readonly params?: { readonly typeName?: string; readonly calls?: readonly Call[] }
}

/** Path of a request without its ids, or the type of record that a call names. */
function endpointOf(request: string): string {
  const [path, { method, params }] = JSON.parse(request) as [string, Call]
  const type = params?.typeName ?? params?.calls?.[0]?.params?.typeName
  return type === undefined ? path.replace(/\/\d+/g, '/:id') : `${method} ${type}`
}
