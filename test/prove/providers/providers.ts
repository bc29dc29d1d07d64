import { type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'
import { proofOnStores } from '../proof.ts'
import { makeHome, type Store } from '../support/service-process.ts'
import { judged } from './compare-fleet.ts'
import { ProvenFleet } from './proven-fleet.ts'
import { type Site, sites } from './sites.ts'
import { makeIntegrator, Stage, type Urls } from './stage.ts'

/** Compares the API data of whole fleets of every provider with the truth there, and again a day later. */
export const providers = proofOnStores(
  {
    name: 'providers',
    description:
      "fleets are linked on the pages to each provider's fake and synced twice, a day apart; all data matches",
    options: {
      vehicles: { preset: 500, short: 20, description: 'size of each fleet' },
      days: { preset: 30, short: 5, description: 'days since each fleet joined its provider' },
    },
    choices: {
      provider: {
        preset: 'all',
        among: ['all', ...sites.map(({ provider }) => provider)],
        description: 'whose fleet',
      },
    },
  },
  prove,
)

interface Values {
  readonly vehicles: number
  readonly days: number
  readonly provider: string
}

const DAY_MS = 86_400_000
/** Roster changes as frequent as those of a fleet of 500. */
const restlessnessOf = (vehicles: number): number => Math.max(1, 500 / vehicles)

async function prove(store: Store, { vehicles, days, provider }: Values): Promise<string[]> {
  // Whole seconds: a time in seconds must stay in the same interval as the event.
  const now = Math.floor(Date.now() / 1000) * 1000
  const chosen = sites.filter((site) => provider === 'all' || site.provider === provider)
  const world = { restlessness: restlessnessOf(vehicles) }
  const size = { vehicles, days, now: new Date(now).toISOString(), world }
  const fakes = await Promise.all(chosen.map((site) => startFake(site.provider, { ...site.fake, ...size })))
  const home = await makeHome(store)
  const db = await home.open()
  try {
    const secretKey = await makeIntegrator(db)
    const started = (urls: Urls, aheadMs: number) => Stage.start(home, secretKey, urls, aheadMs)
    const failures = await proveOn(started, chosen, fakes, now - (days - 1) * DAY_MS)
    return failures.map((failure) => `${store}: ${failure}`)
  } finally {
    await db.close()
    await home.remove()
    await Promise.all(fakes.map((fake) => fake[Symbol.asyncDispose]()))
  }
}

async function proveOn(
  started: (urls: Urls, aheadMs: number) => Promise<Stage>,
  chosen: readonly Site[],
  fakes: readonly RunningFake[],
  since: number,
): Promise<string[]> {
  const urls = new Map(chosen.map(({ provider }, at) => [provider, fakes[at]?.url ?? '']))
  const fleets: ProvenFleet[] = []
  const failures: string[] = []
  for (const [what, aheadMs] of [
    ['first sync', 0],
    ['a day later', DAY_MS],
  ] as const) {
    await using harness = await started(urls, aheadMs)
    if (fleets.length === 0)
      for (const [at, site] of chosen.entries())
        fleets.push(await ProvenFleet.link(site, fakes[at] as RunningFake, harness, since))
    for (const fleet of fleets) failures.push(...(await fleet.sync(harness, what)))
    for (const fleet of fleets) await fleet.poll(harness, true)
    for (const fleet of fleets) failures.push(...(await tellJudged(fleet, harness, what)))
    for (const fleet of fleets) await fleet.poll(harness, false)
    failures.push(...complaintsIn(harness.logged()))
  }
  return failures
}

async function tellJudged(fleet: ProvenFleet, harness: Stage, what: string): Promise<readonly string[]> {
  const { counts, failures } = await judged(fleet, harness)
  const reported = Object.entries(counts).map(([model, count]) => `${model} ${count}`)
  console.log(`${fleet.site.provider}, ${what}: compared ${reported.join(', ')}`)
  if (what === 'first sync') console.log(`  ${fleet.minCalls(counts)} calls would suffice`)
  return failures.map((failure) => `${what}: ${failure}`)
}

/** Returns log lines about unreadable records: the service can read all data of the fakes. */
const complaintsIn = (logged: string): string[] =>
  logged
    .split('\n')
    .filter((line) => line.includes('left out'))
    .slice(0, 5)
    .map((line) => `it was logged: ${line.slice(0, 500)}`)
