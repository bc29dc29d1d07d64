import type { ProviderCredentials, SignIn } from './provider.ts'

/** What every kind of credentials may have beside its secrets: when it ends, and where and whose the account is. */
const PLAIN = ['expiresAt', 'region', 'organization', 'redirectUri']

/**
 * What of an account's credentials is secret: all but what a form of the provider shows while it is typed. A name and
 * a secret are also secret together, as basic authentication sends them.
 */
export function secretsIn(credentials: ProviderCredentials, signIns: readonly SignIn[]): readonly string[] {
  const fields = signIns.flatMap((way) => (way.kind === 'form' ? way.fields : []))
  const shown = fields.filter(({ kind }) => kind !== 'password').map(({ name }) => name)
  const plain = new Set([...shown, ...PLAIN])
  const given = Object.entries(credentials)
  const secrets = given.filter(([name]) => !plain.has(name)).map(([, value]) => value)
  const names = given.filter(([name]) => shown.includes(name)).map(([, value]) => value)
  return [...secrets, ...names.flatMap((name) => secrets.map((secret) => `${name}:${secret}`))]
}
