import type { LimiterFor } from '../../../src/providers/rate-limit/rate-limiter.ts'
import { geotabAdapter } from '../../../src/providers/geotab/adapter.ts'
import { FIRST_SERVER, geotabUrl } from '../../../src/providers/geotab/servers.ts'
import type { ProviderCredentials, RenewableCredentials } from '../../../src/providers/provider.ts'
import { type FakeOptions, type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'

export const NOW = '2026-06-15T18:00:00.000Z'

/** A fake of MyGeotab, which is also where sign-ins begin, and the adapter to it, which may ask servers on this machine. */
export async function startGeotab(options: FakeOptions = {}, turnsOf?: LimiterFor) {
  const fake = await startFake('geotab', { vehicles: 3, days: 3, now: NOW, ...options })
  const urlOf = (server: string) => (server === FIRST_SERVER ? fake.url : onThisMachine(server))
  const adapter = geotabAdapter(turnsOf, { urlOf, clock: { now: () => Date.parse(NOW) } })
  return { fake, adapter, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() }
}

export type RunningGeotab = Awaited<ReturnType<typeof startGeotab>>

let users = 0

/** What somebody types in who was not there before: sign-ins are limited for each user. */
export function typedAt({ fake }: RunningGeotab) {
  const userName = `reader${++users}@fleet.example`
  const server = new URL(fake.url).host
  return { server, database: 'fleet_1', userName, password: `the password of ${userName}` }
}

const onThisMachine = (server: string): string =>
  server.startsWith('127.0.0.1:') ? `http://${server}` : geotabUrl(server)

export const never = new AbortController().signal

/** What is typed in, exchanged for a session. */
export const signedIn = (
  { adapter }: RunningGeotab,
  typed: ProviderCredentials,
): Promise<ProviderCredentials> => adapter.renewal?.renew(typed, never) as Promise<ProviderCredentials>

/** Keeps credentials as a connection does: others take the place of those that were refused. */
export function kept(geotab: RunningGeotab, credentials: ProviderCredentials) {
  let now = credentials
  const renewing: RenewableCredentials = {
    fresh: async () => now,
    instead: async (refused) => (now = await signedIn(geotab, refused)),
  }
  return { api: geotab.adapter.api(credentials, never, 'background', renewing), now: () => now }
}

/** How often each call was made, by what it is of. */
export async function countsOf(fake: RunningFake): Promise<Record<string, number>> {
  const { byKey } = await fake.calls()
  return Object.fromEntries(byKey.map(({ key, calls }) => [key, calls]))
}
