import { isDeepStrictEqual } from 'node:util'
import { isTimeSeries } from '../../../src/sync/ingest/time-series-store.ts'
import type { SyncedModel } from '../../../src/domain/record-models.ts'
import type { Database } from '../../../src/storage/database.ts'
import { LinkedFleet } from '../../support/providers/linked-fleet.ts'
import { expected, isThere, ReadBack } from '../../support/providers/read-back/read-back.ts'
import type { Values } from '../../support/providers/read-back/read-back-names.ts'
import { proofOnStores } from '../proof.ts'
import { makeHome, type Store } from '../support/service-process.ts'
import { CountedCalls } from './counted-calls.ts'
import { type LateProvider, lateProviders, startLateProvider } from './late-fleet.ts'
import { beginOf } from './record-times.ts'

interface Size {
  readonly days: number
  readonly vehicles: number
  readonly 'step-hours': number
  readonly seed: number
  readonly provider: string
}

/** Syncs fleets for two weeks of simulated time, while records arrive up to a week late. */
export const lateRecords = proofOnStores(
  {
    name: 'late-records',
    description:
      'records that reach a provider up to a week late are stored, within the request limits of the provider',
    options: {
      days: { preset: 14, description: 'simulated days, more than 8' },
      vehicles: { preset: 10, short: 3, description: 'size of each fleet' },
      'step-hours': { preset: 1, short: 12, description: 'simulated time between two syncs' },
      seed: { preset: 7, description: 'seed of the fleets and of the delays' },
    },
    choices: {
      provider: { preset: 'all', among: ['all', ...lateProviders], description: 'whose fleet' },
    },
  },
  async (store, size) => {
    const failures: string[] = []
    for (const provider of lateProviders)
      if (size.provider === 'all' || size.provider === provider)
        failures.push(...(await proveProvider(store, provider, size)))
    return failures.map((failure) => `${store}: ${failure}`)
  },
)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START = Date.parse('2026-06-15T06:00:00.000Z')
const MAX_SHOWN = 3

const timedModels: readonly SyncedModel[] = [
  'Trip',
  'SafetyEvent',
  'FaultCodeEvent',
  'HOSLog',
  'HOSDailyLog',
  'VehicleUtilization',
  'VehicleLocation',
  'VehicleStatLog',
]

/** Time within which a sync must have read a record after its arrival. */
const deadlineMs = (model: SyncedModel): number => (isTimeSeries(model) ? 7 * DAY_MS : DAY_MS)

type Records = Readonly<Record<string, Values>>

async function proveProvider(store: Store, provider: string, size: Size): Promise<string[]> {
  const home = await makeHome(store)
  const db = await home.open()
  await db.migrate()
  const begun = performance.now()
  try {
    await using late = await startLateProvider(provider, { ...size, now: START })
    const calls = new CountedCalls()
    const now = new Date(START).toISOString()
    const fleet = await LinkedFleet.link({ db, ...late, fake: late, now }, { limiterFor: calls.limiterFor })
    try {
      const arrivals = new Arrivals(
        late,
        timedModels.filter((model) => readsModel(late, model)),
      )
      const failures = await syncFor(size, fleet, late, calls, arrivals)
      console.log(`${provider} on ${store}`)
      failures.push(...(await compare(db, fleet, arrivals)))
      failures.push(...reportCalls(calls, size))
      console.log(`  proven in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
      return failures.map((failure) => `${provider}: ${failure}`)
    } finally {
      await fleet.close()
    }
  } finally {
    await db.close()
    await home.remove()
  }
}

/** Fails if a sync with the permitted requests would last until the next one. */
function reportCalls({ total, mostInSync, longestMs }: CountedCalls, size: Size): string[] {
  const seconds = (longestMs / 1000).toFixed(1)
  console.log(
    `  ${total} calls in ${size.days} days, at most ${mostInSync} in a sync, which needs up to ${seconds} s at the request limits`,
  )
  return longestMs <= size['step-hours'] * HOUR_MS ? [] : [`a sync needs ${seconds} s at the request limits`]
}

const readsModel = ({ subject, url, punctual }: LateProvider, model: SyncedModel): boolean =>
  model in subject.adapter(url, { now: () => START }).readers && !punctual.includes(model)

/** Syncs in equal steps, and looks what has arrived after each. */
async function syncFor(
  { days, 'step-hours': stepHours }: Size,
  fleet: LinkedFleet,
  late: LateProvider,
  calls: CountedCalls,
  arrivals: Arrivals,
): Promise<string[]> {
  const failures: string[] = []
  const end = START + days * DAY_MS
  for (let now = START; now <= end; now += stepHours * HOUR_MS) {
    fleet.moveClock(now - fleet.now)
    await late.move(now)
    const { sync, failureReason, issues } = await fleet.sync()
    calls.endSync()
    if (sync !== 'completed' || issues.length > 0)
      failures.push(`${new Date(now).toISOString()}: ${failureReason ?? issues.join()}`)
    await arrivals.look(now, end)
  }
  return failures
}

/** Compares the stored records with those that arrived long enough before the end and did not change since. */
async function compare(db: Database, fleet: LinkedFleet, arrivals: Arrivals): Promise<string[]> {
  const failures: string[] = []
  const back = new ReadBack(db, fleet.connection)
  for (const [model, { last, due, late }] of arrivals.of) {
    const settled = Object.entries(due).filter(([key, values]) => isDeepStrictEqual(values, last[key]))
    const days = [...new Set(settled.flatMap(([, { date }]) => (typeof date === 'string' ? [date] : [])))]
    const stored = await back.read(model, days)
    const missing = settled.filter(([key, values]) => !isStored(values, stored[key]))
    const lateDue = settled.filter(([key]) => late.has(key)).length
    console.log(
      `  ${model}: ${Object.keys(last).length} made, ${late.size} late; of ${settled.length} due, ${lateDue} of them late, ${settled.length - missing.length} are stored, ${missing.length} missing`,
    )
    if (settled.length === 0) failures.push(`${model}: no record is due`)
    for (const [key, values] of missing.slice(0, MAX_SHOWN))
      failures.push(`${model} ${key}: ${JSON.stringify({ stored: stored[key], truth: values })}`)
    if (missing.length > MAX_SHOWN) failures.push(`${model}: ${missing.length} are missing`)
  }
  return failures
}

/** Whether a stored record equals a record of the provider. Answers have rounded numbers. */
const isStored = (record: Values, stored: Values | undefined): boolean =>
  stored !== undefined &&
  Object.entries(record).every(([name, value]) => {
    const other = stored[name]
    return typeof value === 'number' && typeof other === 'number'
      ? Math.abs(value - other) < 0.01
      : isDeepStrictEqual(value, other)
  })

interface ArrivedRecords {
  /** Records at the latest look. */
  last: Records
  /** Records of the last look at which a record had to be read before the end. */
  due: Records
  /** Keys of the records that were absent from a look an hour or more after their time. */
  readonly late: Set<string>
}

/** Records that have arrived at a provider since the start. */
class Arrivals {
  readonly of: ReadonlyMap<SyncedModel, ArrivedRecords>
  private lookedAt = START

  constructor(
    private readonly provider: LateProvider,
    models: readonly SyncedModel[],
  ) {
    this.of = new Map(models.map((model) => [model, { last: {}, due: {}, late: new Set() }]))
  }

  async look(now: number, end: number): Promise<void> {
    for (const [model, known] of this.of) {
      const arrived = (await this.provider.truth(model, START)).filter(
        (values) => isThere(values) && beginOf(values) >= START && beginOf(values) < now,
      )
      const records = expected(model, arrived)
      for (const [key, values] of Object.entries(records))
        if (!(key in known.last) && beginOf(values) + HOUR_MS <= this.lookedAt) known.late.add(key)
      known.last = records
      if (now <= end - deadlineMs(model)) known.due = known.last
    }
    this.lookedAt = now
  }
}
