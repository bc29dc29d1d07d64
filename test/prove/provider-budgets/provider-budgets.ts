import type { Fault } from '../../fakes/kit/faults.ts'
import { type KeptLimit, startFake } from '../../fakes/kit/start-fake.ts'
import { proof } from '../proof.ts'
import { makeHome } from '../support/service-process.ts'
import { type Budgeted, budgeted, budgetedNamed } from './providers.ts'
import { KEY, SyncedConnections, type ConnectionsInput } from './synced-connections.ts'
import { Workers } from './workers.ts'

/** Many workers sync many connections. No provider may receive more requests than it permits. */
export const providerBudgets = proof(
  {
    name: 'provider-budgets',
    description:
      "workers with a shared Redis sync many connections at once, and never exceed a provider's limits",
    options: {
      connections: { preset: 200, short: 16, description: 'number of connections' },
      'per-account': { preset: 8, description: 'number of connections with the same account' },
      workers: { preset: 4, description: 'number of worker processes' },
      vehicles: { preset: 3, short: 2, description: 'size of each fleet' },
      days: { preset: 2, description: 'lookback of the first syncs' },
      rounds: { preset: 2, description: 'syncs of each connection' },
    },
    choices: {
      provider: {
        preset: 'all',
        among: ['all', ...budgeted.map(({ provider }) => provider)],
        description: 'which provider',
      },
      budgets: { preset: 'on', among: ['on', 'off'], description: 'off: workers ignore rate limits' },
      storm: { preset: 'off', among: ['on', 'off'], description: 'on: one call in twenty gets status 429' },
    },
  },
  async ({ provider, budgets, storm, workers, vehicles, ...input }) => {
    const chosen = provider === 'all' ? budgeted : [budgetedNamed(provider)]
    const failures: string[] = []
    for (const one of chosen)
      failures.push(
        ...(await prove(one, input, {
          workers,
          vehicles,
          isBudgeted: budgets === 'on',
          isStorm: storm === 'on',
        })),
      )
    return failures
  },
)

interface How {
  readonly workers: number
  readonly vehicles: number
  readonly isBudgeted: boolean
  readonly isStorm: boolean
}

/** A refused request may be retried after a second. */
const STORM: Fault = {
  kind: 'status',
  status: 429,
  share: 0.05,
  times: null,
  headers: { 'retry-after': '1' },
}

async function prove(one: Budgeted, input: ConnectionsInput, how: How): Promise<string[]> {
  const { workers, vehicles, isBudgeted, isStorm } = how
  const { connections, days, 'per-account': perAccount } = input
  const accounts = Math.ceil(connections / perAccount)
  const now = new Date().toISOString()
  const home = await makeHome('mariadb')
  const db = await home.open()
  try {
    await using fake = await startFake(one.provider, { ...one.fake, vehicles, accounts, days: days + 1, now })
    const place = { home, provider: one.provider, url: fake.url, environment: settingsFor(one, fake.url) }
    await db.migrate()
    await using synced = new SyncedConnections({ ...place, db }, one, input)
    await synced.link()
    await fake.fail(...(isStorm ? [STORM] : []), ...(one.faults ?? []))
    await using _workers = await Workers.start(place, workers, isBudgeted)
    const seconds = await synced.sync()
    const [calls, limits] = await Promise.all([fake.calls(), fake.limits()])
    console.log(
      `${one.provider}: ${input.rounds * connections} syncs of ${connections} connections with ${accounts} accounts by ${workers} workers in ${seconds.toFixed(1)} s, ${calls.total} calls, ${calls.refused} refused`,
    )
    return [
      ...judge(one, limits),
      ...(calls.refused === 0 || isStorm ? [] : [`${one.provider} refused ${calls.refused} calls`]),
    ]
  } finally {
    await db.close()
    await home.remove()
  }
}

const settingsFor = ({ provider }: Budgeted, url: string) => ({
  ENCRYPTION_KEY: KEY.toString('base64'),
  DEMO: 'off',
  ...(provider === 'traccar' ? {} : { PROVIDER_URLS: `${provider}=${url}` }),
  PROVIDER_ALLOW: '127.0.0.1',
  PROVIDER_HTTP: 'on',
})

const MAX_SHOWN = 6
const shareOf = ({ most, requests }: KeptLimit): number => most / requests

/** Prints the requests that came nearest to each limit. */
function judge({ provider }: Budgeted, limits: readonly KeptLimit[]): string[] {
  const nearest = new Map<string, KeptLimit>()
  for (const limit of limits.toSorted((one, other) => shareOf(other) - shareOf(one))) {
    const kind = `${limit.of.replace(/\w*\d\w*/g, '…')} ${limit.milliseconds}`
    if (!nearest.has(kind)) nearest.set(kind, limit)
  }
  for (const limit of [...nearest.values()].slice(0, MAX_SHOWN)) console.log(`  ${lineOf(limit)}`)
  const exceeded = limits.filter((limit) => limit.exceeded > 0)
  return [
    ...exceeded.slice(0, MAX_SHOWN).map((limit) => `${provider}: ${lineOf(limit)}`),
    ...(exceeded.length > MAX_SHOWN ? [`${provider}: ${exceeded.length} limits were exceeded`] : []),
  ]
}

const lineOf = ({ of, most, requests, milliseconds, exceeded }: KeptLimit): string =>
  `${of}: ${most} of ${requests} ${milliseconds === 0 ? 'at once' : `in ${milliseconds / 1000} s`}, ${exceeded} too many`
