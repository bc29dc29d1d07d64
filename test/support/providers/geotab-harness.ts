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

/** Returns the credentials that a user types in. Each call has a new user, because sign-ins are limited per user. */
export function typedAt({ fake }: RunningGeotab) {
  const userName = `reader${++users}@fleet.example`
  const server = new URL(fake.url).host
  return { server, database: 'fleet_1', userName, password: `the password of ${userName}` }
}

const onThisMachine = (server: string): string =>
  server.startsWith('127.0.0.1:') ? `http://${server}` : geotabUrl(server)

export const never = new AbortController().signal

/** Exchanges typed credentials for a session. */
export const signedIn = (
  { adapter }: RunningGeotab,
  typed: ProviderCredentials,
): Promise<ProviderCredentials> => adapter.renewal?.renew(typed, never) as Promise<ProviderCredentials>

/** Stores credentials as a connection does: new credentials replace refused ones. */
export function kept(geotab: RunningGeotab, credentials: ProviderCredentials) {
  let now = credentials
  const renewing: RenewableCredentials = {
    fresh: async () => now,
    replacementFor: async (refused) => (now = await signedIn(geotab, refused)),
  }
  return { api: geotab.adapter.api(credentials, never, 'background', renewing), now: () => now }
}

/** Returns the number of calls by their key. */
export async function countsOf(fake: RunningFake): Promise<Record<string, number>> {
  const { byKey } = await fake.calls()
  return Object.fromEntries(byKey.map(({ key, calls }) => [key, calls]))
}
