import type { ProviderCredentials, SignIn } from './provider.ts'

/** Credential fields that are not secret: expiry, and location and owner of the account. */
const NON_SECRET = ['expiresAt', 'region', 'organization', 'redirectUri']

/**
 * Returns the secret values of credentials: all except non-secret fields and form fields that are shown
 * during input. A name and a secret joined as for HTTP Basic count as secret too.
 */
export function secretsIn(credentials: ProviderCredentials, signIns: readonly SignIn[]): readonly string[] {
  const fields = signIns.flatMap((signIn) => (signIn.kind === 'form' ? signIn.fields : []))
  const shown = fields.filter(({ kind }) => kind !== 'password').map(({ name }) => name)
  const nonSecret = new Set([...shown, ...NON_SECRET])
  const given = Object.entries(credentials)
  const secrets = given.filter(([name]) => !nonSecret.has(name)).map(([, value]) => value)
  const names = given.filter(([name]) => shown.includes(name)).map(([, value]) => value)
  return [...secrets, ...names.flatMap((name) => secrets.map((secret) => `${name}:${secret}`))]
}
