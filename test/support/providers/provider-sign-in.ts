import { expect } from 'vitest'
import type { ProviderAdapter, ProviderCredentials } from '../../../src/providers/provider.ts'

/** Redirect URL of the sign-in. */
export const BACK = 'http://127.0.0.1:9/oauth/back'

/** Signs in a user on the provider's page, and exchanges the code for credentials. */
export async function signedInAs(
  fleet: Readonly<Record<string, string>>,
  { oauth }: ProviderAdapter,
): Promise<ProviderCredentials> {
  if (!oauth) throw new Error('the provider has no sign-in page')
  const url = oauth.authorizeUrl({ state: 'the state', challenge: 'c', redirectUri: BACK })
  const body = new URLSearchParams({ ...fleet, answer: 'allow' })
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '').searchParams
  expect(back.get('state')).toBe('the state')
  const given = { code: back.get('code') ?? '', verifier: 'v', redirectUri: BACK }
  return oauth.exchange(given, new AbortController().signal)
}
