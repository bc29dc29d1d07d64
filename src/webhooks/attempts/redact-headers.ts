import type { EndpointHeader } from '../../subgraphs/events/webhooks/webhook-header.ts'

/** A shorter value can be a part of any word, so only the whole word counts. */
const MIN_LENGTH_IN_WORDS = 8

/**
 * Returns a function that removes the values of custom headers from a response, in plain and in encoded form: a receiver
 * may echo its request. It searches for fixed texts, because a pattern for ten long values takes seconds to compile.
 */
export function headerRedactor(headers: readonly EndpointHeader[]): (text: string) => string {
  const secrets = [...new Set(headers.flatMap(secretsIn))].sort((a, b) => b.length - a.length)
  const removals = secrets.flatMap((secret) =>
    secret.length < MIN_LENGTH_IN_WORDS ? [withoutWord(secret)] : formsOf(secret).map(withoutForm),
  )
  return (text) => removals.reduce((redacted, remove) => remove(redacted), text)
}

type Removal = (text: string) => string

/** Returns the value of a header, and the parts of it that are secret by themselves. */
function secretsIn({ value }: EndpointHeader): string[] {
  const [, scheme = '', credentials = ''] = /^([!-~]+) +(.+)$/.exec(value) ?? []
  if (scheme.toLowerCase() !== 'basic') return [value, credentials].filter(Boolean)
  const pair = Buffer.from(credentials, 'base64').toString()
  const [user = ''] = pair.split(':', 1)
  return [value, credentials, pair, pair.slice(user.length + 1) || user].filter(Boolean)
}

function withoutWord(word: string): Removal {
  const pattern = new RegExp(`(?<!\\w)${word.replace(/\W/g, '\\$&')}(?!\\w)`, 'g')
  return (text) => text.replace(pattern, '…')
}

const withoutForm =
  (form: string): Removal =>
  (text) =>
    withoutCutForm(text.replaceAll(form, '…'), form)

/** Returns a secret as a JSON text, an address, an HTML page or an encoding contains it. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const inJson = inJsonText(secret)
  const percent = encodeURIComponent(secret)
  const base64 = [0, 1, 2].map((offset) => base64At(bytes, offset))
  const hex = bytes.toString('hex')
  const forms = [
    inJsonText(inJson),
    inJson,
    secret,
    percent,
    percent.replaceAll('%20', '+'),
    percent.replace(/%../g, (code) => code.toLowerCase()),
    inHtml(secret),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
  ]
  return [...new Set(forms)]
}

const inJsonText = (text: string): string => JSON.stringify(text).slice(1, -1)

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const inHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => HTML_ESCAPES[character] ?? '')

/** Returns the part of the Base64 form after a number of other bytes that does not depend on its surroundings. */
function base64At(bytes: Buffer, offset: number): string {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes])
  const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor((padded.length * 8) / 6)]
  return padded.toString('base64').slice(from, to)
}

/** Removes the begin of a secret from the end of a text, where the size limit of responses has cut it. */
function withoutCutForm(text: string, form: string): string {
  const begin = form.slice(0, MIN_LENGTH_IN_WORDS)
  const from = Math.max(0, text.length - form.length)
  for (let at = text.indexOf(begin, from); at >= 0; at = text.indexOf(begin, at + 1))
    if (form.startsWith(text.slice(at))) return `${text.slice(0, at)}…`
  return text
}
