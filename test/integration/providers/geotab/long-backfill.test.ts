import { expect, test } from 'vitest'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import type { ReaderState, ReadPage, TimeWindow } from '../../../../src/providers/provider.ts'
import { dutyPeriodsSince } from '../../../../src/providers/geotab/readers/hos/duty-statuses.ts'
import { compare } from '../../../fakes/geotab/compare.ts'
import type { RecordFields } from '../../../fakes/geotab/caller.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'
import {
  countsOf,
  connectionWith,
  NOW,
  signIn,
  startGeotab,
  newUserCredentials,
} from '../../../support/providers/geotab-harness.ts'

const DAY_MS = 86_400_000
const to = Date.parse(NOW)

interface Search {
  readonly fromDate?: string
  readonly toDate?: string
}

/** Returns the length in days of each search for duty statuses. */
const spansIn = (bodies: readonly unknown[]): number[] =>
  bodies
    .flatMap(searchesIn)
    .filter(({ typeName }) => typeName === 'DutyStatusLog')
    .map(({ search }) => (endOf(search) - Date.parse(String(search.fromDate))) / DAY_MS)

const searchesIn = (body: unknown): Params[] =>
  ((body as { params: { calls?: { params: Params }[] } }).params.calls ?? []).map(({ params }) => params)

const isIn =
  (search: Search) =>
  ({ dateTime }: { readonly dateTime: string }): boolean =>
    Date.parse(dateTime) >= Date.parse(String(search.fromDate)) && Date.parse(dateTime) <= endOf(search)

interface Params {
  readonly typeName: string
  readonly search: Search
}

const endOf = ({ toDate }: Search): number => (toDate === undefined ? Infinity : Date.parse(toDate))

function recordBodies(api: ProviderApi) {
  const bodies: unknown[] = []
  const recordingApi: ProviderApi = {
    ...api,
    post: (path, body) => {
      bodies.push(body)
      return api.post(path, body)
    },
  }
  return { api: recordingApi, bodies }
}

async function startFleet(days: number, backfill = days) {
  const geotab = await startGeotab({ vehicles: 4, days })
  const { api, bodies } = recordBodies(
    connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab))).api,
  )
  const window: TimeWindow = { from: to - backfill * DAY_MS, to }
  return {
    fake: geotab.fake,
    api,
    bodies,
    statuses: async () =>
      (await api.post('/apiv1', { method: 'Get', params: { typeName: 'DutyStatusLog' } })) as object[],
    async all(model: 'HOSLog' | 'HOSDailyLog') {
      const reader = geotab.adapter.readers[model]
      if (!reader) throw new Error(`${model} is not read`)
      const normalized: RecordFields[] = []
      for (let state: ReaderState | undefined = null; state !== undefined;) {
        const page: ReadPage = await reader.read(api, state, window, emptyRoster)
        normalized.push(...page.records.map((record) => reader.normalize(record) as unknown as RecordFields))
        state = page.isCaughtUp ? undefined : (page.next ?? undefined)
      }
      return normalized
    },
    truth: (model: string) => geotab.fake.truth<RecordFields[]>(model),
    [Symbol.asyncDispose]: geotab[Symbol.asyncDispose],
  }
}

test('daily logs are correct, and no search for duty statuses spans more than 65 days', async () => {
  await using fleet = await startFleet(80, 90)
  compare(await fleet.all('HOSDailyLog'), await fleet.truth('HOSDailyLog'))
  expect(Math.max(...spansIn(fleet.bodies))).toBeLessThan(65)
})

test('a backfill of a hundred years without duty statuses needs few calls', async () => {
  await using fleet = await startFleet(10, 36_500)
  await fleet.fake.forgetCalls()
  compare(await fleet.all('HOSDailyLog'), await fleet.truth('HOSDailyLog'))
  expect((await countsOf(fleet.fake))['fleet_1 ExecuteMultiCall']).toBeLessThan(40)
})

test('the end of an old duty status is searched in the following days, then in longer spans', async () => {
  await using fleet = await startFleet(60)
  const old = (await fleet.truth('HOSLog')).filter(({ startedAt }) => Number(startedAt) < to - 50 * DAY_MS)
  const oldest = (await fleet.api.post('/apiv1', {
    method: 'Get',
    params: { typeName: 'DutyStatusLog', search: { toDate: new Date(to - 50 * DAY_MS - 1).toISOString() } },
  })) as unknown[]
  const periods = await dutyPeriodsSince(fleet.api, oldest, to)
  const endOfEach = (periods: readonly { id: unknown; endedAt: unknown }[]) =>
    Object.fromEntries(periods.map(({ id, endedAt }) => [id, endedAt]))
  expect(endOfEach(periods.map(({ log: { id }, endedAt }) => ({ id, endedAt })))).toEqual(
    endOfEach(old.map(({ sourceId, endedAt }) => ({ id: sourceId, endedAt }))),
  )
  expect(old.length).toBeGreaterThan(0)
  expect(Math.max(...spansIn(fleet.bodies))).toBeLessThanOrEqual(60)
})

test('a duty status lasts for months until the next one ends it', async () => {
  await using fleet = await startFleet(3)
  const [log] = await fleet.statuses()
  const [start, end] = [to - 300 * DAY_MS, to - 100 * DAY_MS]
  const at = (dateTime: number) => ({
    ...log,
    id: String(dateTime),
    dateTime: new Date(dateTime).toISOString(),
  })
  const logs = [at(start), at(end)]
  const sparseApi: ProviderApi = {
    ...fleet.api,
    post: async (_path, body) => searchesIn(body).map(({ search }) => logs.filter(isIn(search))),
  }
  const periods = await dutyPeriodsSince(sparseApi, [logs[0]], to)
  expect(periods.map(({ endedAt }) => endedAt)).toEqual([end])
  expect((await dutyPeriodsSince(sparseApi, [logs[1]], to)).at(-1)?.endedAt).toBeNull()
})
