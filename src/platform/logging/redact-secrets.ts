import { isUtf8 } from 'node:buffer'
import { inspect } from 'node:util'
import { type SecretMatcher, createSecretMatcher } from './secret-patterns.ts'

/** Minimum length of redacted secrets; shorter ones occur in texts by chance. */
const MIN_SECRET_LENGTH = 8

const matchers = new WeakMap<readonly string[], SecretMatcher | null>()

/**
 * Removes the credentials of a provider request from a text of its response. Some providers repeat the credentials in
 * records or errors. A text that is stored or returned must not contain them in any readable form.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const cached = matchers.get(secrets)
  const matcher = cached === undefined ? matcherOfAll(secrets) : cached
  matchers.set(secrets, matcher)
  return matcher?.hint.test(text) ? text.replace(matcher.all, '…') : text
}

function matcherOfAll(secrets: readonly string[]): SecretMatcher | null {
  const long = secrets.map((secret) => secret.trim()).filter(({ length }) => length >= MIN_SECRET_LENGTH)
  // Longest first, so that a secret that starts with another secret is removed as a whole. A secret such as
  // `user:password` needs no pattern of its own if `password` has one.
  const all = [...new Set(long)].sort((a, b) => b.length - a.length)
  const needed = all.filter((secret) => !all.some((other) => secret.endsWith(`:${other}`)))
  return needed.length === 0 ? null : createSecretMatcher(needed)
}

/** Removes the credentials from bytes. Returns the same buffer if it contains none. */
export function redactSecretsInBytes(bytes: Buffer, secrets: readonly string[]): Buffer {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
  const text = bytes.toString(encoding)
  const redacted = redactSecrets(text, secrets)
  return redacted === text ? bytes : Buffer.from(redacted.replaceAll('…', '...'), encoding)
}

/**
 * Returns the error unchanged unless it contains a secret, also in nested properties. Otherwise returns an
 * error with only its name.
 */
export function redactSecretsInError(error: unknown, secrets: readonly string[]): unknown {
  const text = inspect(error, { depth: MAX_DEPTH })
  if (redactSecrets(text, secrets) === text) return error
  return new Error(error instanceof Error ? error.name : 'redacted error')
}

const MAX_DEPTH = 8
