import type { ProviderCredentials, SignIn } from './provider.ts'

/** Credential fields that are not secret: the expiry, the account's region and organization, and the redirect URI. */
const NON_SECRET = ['expiresAt', 'region', 'organization', 'redirectUri']

/**
 * Returns the texts to redact: all values of the credentials, except those of non-secret fields and of form fields
 * that show their input. Includes each shown value joined with each secret, as in HTTP Basic.
 */
export function secretsIn(credentials: ProviderCredentials, signIns: readonly SignIn[]): readonly string[] {
  const fields = signIns.flatMap((signIn) => (signIn.kind === 'form' ? signIn.fields : []))
  const shown = fields.filter(({ kind }) => kind !== 'password').map(({ name }) => name)
  const nonSecret = new Set([...shown, ...NON_SECRET])
  const given = Object.entries(credentials)
  const secrets = given.filter(([name]) => !nonSecret.has(name)).map(([, value]) => value)
  const shownValues = given.filter(([name]) => shown.includes(name)).map(([, value]) => value)
  return [...secrets, ...shownValues.flatMap((name) => secrets.map((secret) => `${name}:${secret}`))]
}
