import { isUtf8 } from 'node:buffer'
import { inspect } from 'node:util'
import { type SecretMatcher, createSecretMatcher } from './secret-patterns.ts'

/** Shorter ones stand in texts by chance. */
const MIN_SECRET_LENGTH = 8

const matchers = new WeakMap<readonly string[], SecretMatcher | null>()

/**
 * What a provider answered, without the credentials that it was asked with: some say them again, in records or in
 * errors, and what is stored or told must not hold them, in no form that they can be read from.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const known = matchers.get(secrets)
  const finder = known === undefined ? matcherOfAll(secrets) : known
  matchers.set(secrets, finder)
  return finder?.hint.test(text) ? text.replace(finder.all, '…') : text
}

function matcherOfAll(secrets: readonly string[]): SecretMatcher | null {
  const long = secrets.map((secret) => secret.trim()).filter(({ length }) => length >= MIN_SECRET_LENGTH)
  // The longest first: a key must not leave the rest of one that it begins. What ends in another is found with that.
  const all = [...new Set(long)].sort((one, other) => other.length - one.length)
  const needed = all.filter((one) => !all.some((other) => one.endsWith(`:${other}`)))
  return needed.length === 0 ? null : createSecretMatcher(needed)
}

/** The same of bytes, which stay as they are where nothing is said again. */
export function redactSecretsInBytes(bytes: Buffer, secrets: readonly string[]): Buffer {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
  const text = bytes.toString(encoding)
  const clean = redactSecrets(text, secrets)
  return clean === text ? bytes : Buffer.from(clean.replaceAll('…', '...'), encoding)
}

/** An error; one that says a secret again, also in what hangs on it, is told by its name alone. */
export function redactSecretsInError(error: unknown, secrets: readonly string[]): unknown {
  const told = inspect(error, { depth: DEEPEST })
  if (redactSecrets(told, secrets) === told) return error
  return new Error(error instanceof Error ? error.name : 'an error that is not told')
}

const DEEPEST = 8
