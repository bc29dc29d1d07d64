import { isUtf8 } from 'node:buffer'
import { inspect } from 'node:util'
import { type Finder, finderOf } from './echo-patterns.ts'

/** Shorter ones stand in texts by chance. */
const LEAST_LENGTH = 8

const finders = new WeakMap<readonly string[], Finder | null>()

/**
 * What a provider answered, without the credentials that it was asked with: some say them again, in records or in
 * errors, and what is stored or told must not hold them, in no form that they can be read from.
 */
export function withoutEcho(text: string, secrets: readonly string[]): string {
  const known = finders.get(secrets)
  const finder = known === undefined ? finderOfAll(secrets) : known
  finders.set(secrets, finder)
  return finder?.hint.test(text) ? text.replace(finder.all, '…') : text
}

function finderOfAll(secrets: readonly string[]): Finder | null {
  const long = secrets.map((secret) => secret.trim()).filter(({ length }) => length >= LEAST_LENGTH)
  // The longest first: a key must not leave the rest of one that it begins. What ends in another is found with that.
  const all = [...new Set(long)].sort((one, other) => other.length - one.length)
  const needed = all.filter((one) => !all.some((other) => one.endsWith(`:${other}`)))
  return needed.length === 0 ? null : finderOf(needed)
}

/** The same of bytes, which stay as they are where nothing is said again. */
export function bytesWithoutEcho(bytes: Buffer, secrets: readonly string[]): Buffer {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
  const text = bytes.toString(encoding)
  const clean = withoutEcho(text, secrets)
  return clean === text ? bytes : Buffer.from(clean.replaceAll('…', '...'), encoding)
}

/** An error; one that says a secret again, also in what hangs on it, is told by its name alone. */
export function errorWithoutEcho(error: unknown, secrets: readonly string[]): unknown {
  const told = inspect(error, { depth: DEEPEST })
  if (withoutEcho(told, secrets) === told) return error
  return new Error(error instanceof Error ? error.name : 'an error that is not told')
}

const DEEPEST = 8
