import type { LimiterFor } from '../../../src/providers/rate-limit/rate-limiter.ts'
import { geotabAdapter } from '../../../src/providers/geotab/adapter.ts'
import { DEFAULT_SERVER, geotabUrl } from '../../../src/providers/geotab/servers.ts'
import type { ProviderCredentials, RenewableCredentials } from '../../../src/providers/provider.ts'
import { type FakeOptions, type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'

export const NOW = '2026-06-15T18:00:00.000Z'

/** Starts a fake MyGeotab, which also serves sign-ins, and its adapter, which may call local servers. */
export async function startGeotab(options: FakeOptions = {}, limiterFor?: LimiterFor) {
  const fake = await startFake('geotab', { vehicles: 3, days: 3, now: NOW, ...options })
  const urlOf = (server: string) => (server === DEFAULT_SERVER ? fake.url : onThisMachine(server))
  const adapter = geotabAdapter(limiterFor, { urlOf, clock: { now: () => Date.parse(NOW) } })
  return { fake, adapter, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() }
}

export type RunningGeotab = Awaited<ReturnType<typeof startGeotab>>

let users = 0

/** Returns the user name and password of a new user, as a sign-in needs them. MyGeotab limits the sign-ins of each user. */
export function newUserCredentials({ fake }: RunningGeotab) {
  const userName = `reader${++users}@fleet.example`
  const server = new URL(fake.url).host
  return { server, database: 'fleet_1', userName, password: `the password of ${userName}` }
}

const onThisMachine = (server: string): string =>
  server.startsWith('127.0.0.1:') ? `http://${server}` : geotabUrl(server)

export const never = new AbortController().signal

/** Exchanges a user name and password for a session. */
export const signIn = (
  { adapter }: RunningGeotab,
  credentials: ProviderCredentials,
): Promise<ProviderCredentials> => adapter.renewal?.renew(credentials, never) as Promise<ProviderCredentials>

/** Returns the provider API of a connection that stores these credentials. Renewed credentials replace refused ones. */
export function connectionWith(geotab: RunningGeotab, credentials: ProviderCredentials) {
  let current = credentials
  const renewing: RenewableCredentials = {
    fresh: async () => current,
    replacementFor: async (refused) => (current = await signIn(geotab, refused)),
  }
  return {
    api: geotab.adapter.api(credentials, never, 'background', renewing),
    credentials: () => current,
  }
}

/** Returns the numbers of calls by key: the database and the method. */
export async function countsOf(fake: RunningFake): Promise<Record<string, number>> {
  const { byKey } = await fake.calls()
  return Object.fromEntries(byKey.map(({ key, calls }) => [key, calls]))
}
