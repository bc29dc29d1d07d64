import type { ProviderAdapter, ProviderCredentials } from '../../../src/providers/provider.ts'
import { samsaraAdapter } from '../../../src/providers/samsara/adapter.ts'
import { samsara } from '../samsara-subject.ts'
import type { SyncedSubject } from '../subject.ts'

const BACK = 'http://127.0.0.1:9/oauth/back'

/** Fleets that sign in at Samsara itself, where the service is registered. */
export const byOAuth: SyncedSubject = {
  ...samsara,
  adapter: (url, clock, turnsOf) =>
    samsaraAdapter(turnsOf, {
      regions: { us: url, eu: url, ca: url },
      application: { clientId: 'fake-client', clientSecret: 'fake-client-secret' },
      clock,
    }),
}

/** What a fleet says at Samsara's page, and what the application makes of its code. */
export async function signedIn(adapter: ProviderAdapter, organization: number): Promise<ProviderCredentials> {
  const url = adapter.oauth?.authorizeUrl({ state: 's', challenge: 'c', redirectUri: BACK }) ?? ''
  const body = new URLSearchParams({ organization: String(organization), answer: 'allow' })
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const given = { code, verifier: 'v', redirectUri: BACK }
  return (await adapter.oauth?.exchange(given, new AbortController().signal)) as ProviderCredentials
}
