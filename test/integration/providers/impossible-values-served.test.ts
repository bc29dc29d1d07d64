import { describe, expect, test } from 'vitest'
import { routes } from '../../../rest-compat/routes.ts'
import type { RawRetainedModel } from '../../../src/domain/record-models.ts'
import { readParts } from '../../../src/providers/mapping/readable-parts.ts'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { startFake } from '../../fakes/kit/start-fake.ts'
import { type RestApp, restAppOver } from '../../prove/support/rest-app.ts'
import { temporaryDatabase } from '../../support/factories.ts'
import { supergraph } from '../../support/graph/graph-harness.ts'
import {
  changedAt,
  IDENTIFIES,
  rawRecordsBySchema,
  returns,
  scalarsIn,
  valueAt,
  withoutIndex,
} from '../../support/providers/changed-values.ts'
import { LinkedFleet } from '../../support/providers/linked-fleet.ts'
import { subjects } from '../../support/providers/subjects/subjects.ts'
import { documented } from '../../support/rest/openapi-validation.ts'
import { addClient } from '../../support/sync/add-client.ts'

const NOW = '2026-06-15T18:00:00.000Z'

/** Values that hardly any field can hold. The emoji straddles the length of a text column. */
const VALUES: readonly unknown[] = [
  1.5,
  2 ** 31,
  2 ** 53,
  'NaN',
  -411_000,
  1e300,
  '',
  { wrong: 'type' },
  `${'x'.repeat(254)}🚚🚚`,
  'NUL \0 inside',
]

type Json = Readonly<Record<string, unknown>>

/** A record of the fake with one changed value. `number` is 0 modulo the number of variants for the record itself. */
interface Variant {
  readonly number: number
  /** Number of the unchanged record. */
  readonly of: number
  readonly isNumber: boolean
  readonly raw: unknown
}

/** Lists of records whose source id is the number of their variant. */
const LISTS: Partial<Record<RawRetainedModel, string>> = {
  Group: '/groups',
  Driver: '/drivers',
  Vehicle: '/vehicles',
  Trailer: '/trailers',
  Device: '/devices',
  Trip: '/trips',
  SafetyEvent: '/safety/events',
  FaultCodeEvent: '/fault-codes/events',
  HOSLog: '/hos/logs',
  HOSDailyLog: '/hos/daily-logs',
}

/** Lists of records that have no source id. */
const OTHER_LISTS: Partial<Record<RawRetainedModel, string>> = {
  LatestVehicleLocation: '/vehicles/locations',
  LatestTrailerLocation: '/trailers/locations',
  HOSAvailableTime: '/hos/available-time',
  IFTASummary: '/ifta/summary?startMonth=2026-01&endMonth=2026-12',
  VehicleUtilization: '/vehicles/utilization?startDate=2026-01-01&endDate=2026-12-31',
}

/** Members that differ between variants, although the value has no effect on them. */
const OWN_MEMBERS = new Set(['id', 'sourceId', 'metadata', 'raw'])

describe.each(subjects)('a value that does not fit, from $name', (subject) => {
  test('is null in REST, which runs GraphQL, and in events; the rest of its record is as it was', async () => {
    await using db = await temporaryDatabase(subject.databases[0] ?? 'sqlite')
    await using fake = await startFake(subject.provider, { vehicles: 6, days: 3, now: NOW })
    const first = await LinkedFleet.link({ db, subject, fake, now: NOW })
    await first.sync()
    await first.poll()
    const sent = await rawRecordsBySchema(db)
    const variants = new Map<string, readonly Variant[]>()
    const changing = {
      ...subject,
      adapter: (...args: Parameters<typeof subject.adapter>) => {
        const adapter = subject.adapter(...args)
        for (const [model, reader] of readersOf(adapter)) variants.set(model, variantsOf(reader, sent))
        return withVariants(adapter, variants)
      },
    }
    const second = await LinkedFleet.link({ db, subject: changing, fake, now: NOW })
    await second.sync()
    await second.poll()
    const app = restAppOver(db, await addClient(db, second.connection.id), [
      changing.adapter(fake.url, { now: () => Date.parse(NOW) }),
    ])

    const changed: string[] = []
    let served = 0
    for (const [model, path] of Object.entries(LISTS)) {
      const all = variants.get(model) ?? []
      const records = new Map(
        (await pagesOf(app, path)).map((record) => [String(record['sourceId']), record]),
      )
      served += records.size
      for (const { number, of, isNumber } of all) {
        const [record, unchanged] = [records.get(String(number)), records.get(String(of))]
        if (!isNumber || !record || !unchanged) continue
        for (const [name, value] of Object.entries(record))
          if (!OWN_MEMBERS.has(name) && !isSameOrNumber(value, unchanged[name]))
            changed.push(`${model} ${name}`)
      }
    }
    expect([...new Set(changed)]).toEqual([])

    for (const [model, path] of Object.entries(OTHER_LISTS))
      if (variants.get(model)?.length) served += (await pagesOf(app, path)).length
    for (const { id } of await pagesOf(app, '/vehicles'))
      for (const list of ['locations', 'stats/historical'])
        await pagesOf(app, `/vehicles/${String(id)}/${list}`)
    for (const { type, detail } of await pagesOf(app, '/events'))
      await expectServed(app, String(type), detail as Json)
    expect(served).toBeGreaterThan(300)
    const issues = await pagesOf(app, '/issues')
    expect(issues.filter(({ status }) => status === 'ongoing').length).toBeGreaterThan(0)
    await app.close()
  })
})

const readersOf = ({ readers, latest }: ProviderAdapter) =>
  Object.entries({ ...readers, ...latest }) as unknown as [RawRetainedModel, Reader<Json>][]

/** Variants of one record for each path and type of record. */
function variantsOf(
  { schema, normalize }: Reader<Json>,
  sent: ReadonlyMap<string, readonly unknown[]>,
): Variant[] {
  const variants: Variant[] = []
  const known = new Set<string>()
  for (const raw of sent.get(schema) ?? []) {
    const paths = scalarsIn(raw).filter((path) => {
      const place = `${withoutIndex(path)} ${String((raw as { type?: unknown }).type)}`
      return !IDENTIFIES.test(withoutIndex(path)) && !known.has(place) && known.add(place)
    })
    if (paths.length === 0 || !returns(() => normalize(raw, Date.parse(NOW)))) continue
    const of = variants.length
    variants.push({ number: of, of, isNumber: false, raw })
    for (const path of paths)
      for (const value of VALUES)
        variants.push({
          number: variants.length,
          of,
          isNumber: typeof valueAt(raw, path) === 'number',
          raw: changedAt(raw, path, value),
        })
  }
  return variants
}

/** Replaces what the readers of an adapter read. The number of a variant is its source id. */
function withVariants(
  adapter: ProviderAdapter,
  variants: ReadonlyMap<string, readonly Variant[]>,
): ProviderAdapter {
  const changed = ([model, reader]: [string, Reader<Json>]) => {
    const variantReader: Reader<Json> = {
      mode: reader.mode === 'full' ? 'full' : 'window',
      schema: reader.schema,
      read: () => Promise.resolve({ records: variants.get(model) ?? [], next: null }),
      normalize(record, asOf) {
        const { raw, number } = record as Variant
        const { result } = readParts(raw, (readable) => reader.normalize(readable, asOf))
        return numbered(model, result, number)
      },
    }
    return [model, variantReader] as const
  }
  const all = <Readers extends object>(readers: Readers): Readers =>
    Object.fromEntries((Object.entries(readers) as [string, Reader<Json>][]).map(changed)) as Readers
  return { ...adapter, readers: all(adapter.readers), latest: all(adapter.latest) }
}

/** Points and states have no id: their time or their owner distinguishes them. */
function numbered(model: string, normalized: Json, number: number): Json {
  const moved = (name: string) => ({ ...normalized, [name]: shifted(normalized[name], number) })
  switch (model) {
    case 'VehicleLocation':
      return moved('locatedAt')
    case 'VehicleStatLog':
      return moved('timestamp')
    case 'LatestVehicleLocation':
      return { ...normalized, vehicleSourceId: String(number) }
    case 'LatestTrailerLocation':
      return { ...normalized, trailerSourceId: String(number) }
    case 'HOSAvailableTime':
      return { ...normalized, driverSourceId: String(number) }
    default:
      return { ...normalized, sourceId: String(number) }
  }
}

const shifted = (time: unknown, number: number): unknown => (typeof time === 'number' ? time - number : time)

/** A number that fits is another valid value; one that does not is absent. */
function isSameOrNumber(value: unknown, before: unknown): boolean {
  if (typeof value === 'number' && (typeof before === 'number' || before === undefined)) return true
  if (typeof value !== 'object' || value === null || typeof before !== 'object' || before === null)
    return JSON.stringify(value) === JSON.stringify(before) || isTime(value)
  return Object.entries(value).every(([name, member]) => isSameOrNumber(member, (before as Json)[name]))
}

const isTime = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)

const expectDocumented = documented(routes, supergraph.apiSchema)

/** Reads all pages of a list. Each must match the OpenAPI document. */
async function pagesOf(app: RestApp, path: string): Promise<Json[]> {
  const records: Json[] = []
  for (let cursor = ''; ;) {
    const url = `${path}${path.includes('?') ? '&' : '?'}limit=1000${cursor}`
    const body = await app.get<{ results: Json[]; next?: string }>(url)
    expectDocumented('GET', path.replace(/\?.*/, ''), { status: 200, contentType: 'application/json', body })
    records.push(...body.results)
    if (body.next === undefined) return records
    cursor = `&cursor=${encodeURIComponent(body.next)}`
  }
}

/** Expects the record of an event to be that of its REST route. */
async function expectServed(
  app: RestApp,
  type: string,
  { vehicle, driver, safetyEvent }: Json,
): Promise<void> {
  if (!type.endsWith('.added')) return
  for (const [path, record] of [
    ['/vehicles', vehicle],
    ['/drivers', driver],
    ['/safety/events', safetyEvent],
  ] as const)
    if (record) expect(record).toEqual(await app.get(`${path}/${String((record as Json)['id'])}`))
}
