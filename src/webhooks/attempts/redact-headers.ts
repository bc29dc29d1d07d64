import type { EndpointHeader } from '../../subgraphs/events/webhooks/webhook-header.ts'

/** Text in the place of a secret. */
export const REDACTED = '…'

/** A shorter secret can be a part of any word, so only the whole word counts. */
const MIN_LENGTH_IN_WORDS = 8

/**
 * Returns a function that removes the values of custom headers from a response: a receiver may echo its request, in any
 * encoding. It searches for fixed texts, because a pattern for ten long values takes seconds to compile.
 */
export function headerRedactor(headers: readonly EndpointHeader[]): (text: string) => string {
  const secrets = [...new Set(headers.flatMap(secretsIn))].sort((a, b) => b.length - a.length)
  const forms = secrets.filter((secret) => !isWord(secret)).flatMap(formsOf)
  const words = secrets.filter(isWord).map(wordPattern)
  return (text) => {
    const formless = forms.reduce(withoutForm, text)
    const redacted = words.reduce((rest, word) => rest.replace(word, REDACTED), formless)
    return containsEncoded(redacted, forms) ? REDACTED : redacted
  }
}

const isWord = ({ length }: string): boolean => length < MIN_LENGTH_IN_WORDS

const wordPattern = (word: string): RegExp => new RegExp(`(?<!\\w)${word.replace(/\W/g, '\\$&')}(?!\\w)`, 'g')

/** Returns the value of a header, and the parts of it that are secret by themselves. */
function secretsIn({ value }: EndpointHeader): string[] {
  const [, scheme = '', credentials = ''] = /^([!-~]+) +(.+)$/.exec(value) ?? []
  if (scheme.toLowerCase() !== 'basic') return [value, credentials].filter(Boolean)
  const pair = Buffer.from(credentials, 'base64').toString()
  const [user = ''] = pair.split(':', 1)
  return [value, credentials, pair, pair.slice(user.length + 1) || user].filter(Boolean)
}

/** Returns a secret in its usual forms: plain, in JSON, in a URL, in Base64 and in hexadecimal digits. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const base64 = [0, 1, 2].map((offset) => base64At(bytes, offset))
  const hex = bytes.toString('hex')
  const forms = [
    JSON.stringify(secret).slice(1, -1),
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
  ]
  return [...new Set(forms)]
}

/** Returns the part of the Base64 form after a number of other bytes that does not depend on its surroundings. */
function base64At(bytes: Buffer, offset: number): string {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes])
  const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor((padded.length * 8) / 6)]
  return padded.toString('base64').slice(from, to)
}

/** Removes a form of a secret, and its start at the end of the text: the size limit of responses may have cut it. */
function withoutForm(text: string, form: string): string {
  const redacted = text.replaceAll(form, REDACTED)
  const start = form.slice(0, MIN_LENGTH_IN_WORDS)
  const from = Math.max(0, redacted.length - form.length)
  for (let at = redacted.indexOf(start, from); at >= 0; at = redacted.indexOf(start, at + 1))
    if (form.startsWith(redacted.slice(at))) return redacted.slice(0, at) + REDACTED
  return redacted
}

const MAX_DECODINGS = 4

/** Whether a text contains a secret in another encoding, for example in JSON inside JSON. */
function containsEncoded(text: string, forms: readonly string[]): boolean {
  let [encoded, decoded] = ['', text]
  for (let round = 0; round < MAX_DECODINGS && decoded !== encoded; round++) {
    ;[encoded, decoded] = [decoded, decodedOnce(decoded)]
    if (decoded !== encoded && forms.some((form) => decoded.includes(form))) return true
  }
  return false
}

const decodedOnce = (text: string): string =>
  text
    .replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\(["'\\/])/g, '$1')
    .replace(/(?:%[0-9a-f]{2})+/gi, (codes) => Buffer.from(codes.replaceAll('%', ''), 'hex').toString())
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&#x([0-9a-f]{1,5});/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    .replace(/&(quot|apos|lt|gt|amp);/g, (_, name: string) => ENTITIES[name] ?? '')

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }
