import { startFake } from '../../fakes/kit/start-fake.ts'
import type { SyncedSubject } from '../../support/providers/subjects/subject.ts'
import { subjects } from '../../support/providers/subjects/subjects.ts'
import type { Values } from '../../support/providers/read-back/read-back-names.ts'
import { startSandbox } from './sandbox-fleet.ts'

/** A provider whose records arrive late, and its clock. */
export interface LateProvider extends AsyncDisposable {
  readonly url: string
  /** Models that it cannot hold back. */
  readonly punctual: readonly string[]
  readonly subject: Pick<SyncedSubject, 'adapter' | 'credentials'>
  move(now: number): Promise<void>
  /** Returns the records of a model from `since` on that have arrived by now. */
  truth(model: string, since: number): Promise<readonly Values[]>
}

export interface LateFleetSize {
  readonly vehicles: number
  readonly seed: number
  readonly now: number
}

/** Share of the trips whose records arrive late. */
export const LATE_SHARE = 0.4
/** A record that arrives within these hours of its end arrives within 7 days of its start: no trip takes 6 hours. */
export const LATE_HOURS = [1, 162] as const
/** Enough faults that some are late. */
const FAULT_SHARE = 0.2
/** Days of history before the first sync. */
const HISTORY_DAYS = 3

export const lateProviders = ['sandbox', ...subjects.map(({ provider }) => provider)]

export const startLateProvider = (provider: string, size: LateFleetSize): Promise<LateProvider> =>
  provider === 'sandbox' ? startSandbox(size) : startLateFake(provider, size)

async function startLateFake(
  provider: string,
  { vehicles, seed, now }: LateFleetSize,
): Promise<LateProvider> {
  const subject = subjects.find((candidate) => candidate.provider === provider)
  if (!subject) throw new Error(`no provider ${provider}`)
  const world = {
    lateShare: LATE_SHARE,
    lateTripHours: LATE_HOURS,
    lateDutyHours: LATE_HOURS,
    restlessness: 0,
    faultShare: FAULT_SHARE,
  }
  const settings = { limits: 'off' }
  const fake = await startFake(provider, {
    vehicles,
    seed,
    days: HISTORY_DAYS,
    now: iso(now),
    world,
    settings,
  })
  if (provider === 'samsara') await liftBudgets(fake.url)
  return {
    url: fake.url,
    punctual: [],
    subject,
    move: (to) => fake.move({ now: iso(to) }),
    truth: (model, since) => fake.truth<Values[]>(model, { from: iso(since) }),
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
}

/** Lifts the limits of the fake, which count in real time. `CountedCalls` counts the calls instead. */
async function liftBudgets(url: string): Promise<void> {
  await fetch(`${url}/_fake/budgets`, { method: 'POST', body: '{"*":10000}' })
}

const iso = (at: number): string => new Date(at).toISOString()
