/** Patterns that find a secret in a text in any of its encodings. */

/** Patterns for the two characters in which Base64 and URL-safe Base64 differ. */
const BASE64_CLASSES: Readonly<Record<string, string>> = { '+': '[+-]', '/': '[/_]' }

/** Matches secrets, also in encoded, escaped or hexadecimal form. */
export interface SecretMatcher {
  /** Matches the first characters of a secret. The test is quick, and most texts contain no secret. */
  readonly hint: RegExp
  /** Matches whole secrets. */
  readonly all: RegExp
}

const HINT_LENGTH = 6

export const createSecretMatcher = (secrets: readonly string[]): SecretMatcher => ({
  hint: new RegExp(secrets.flatMap((secret) => secretForms(secret, HINT_LENGTH)).join('|')),
  all: new RegExp(secrets.flatMap((secret) => secretForms(secret)).join('|'), 'g'),
})

/** Returns the patterns of a secret, or of the first `length` characters of its forms. */
const secretForms = (secret: string, length?: number): string[] => {
  const bytes = Buffer.from(secret)
  return [
    inEveryEscaping(Array.from(secret).slice(0, length)),
    ...base64Of(bytes).map((text) => inEveryEscaping(Array.from(text).slice(0, length), BASE64_CLASSES)),
    bytes.toString('hex').slice(0, length).replace(/[a-f]/g, eitherCase),
  ]
}

/**
 * Returns a pattern for a text. Each character may be plain, or escaped once or several times for JSON, URLs or HTML.
 */
const inEveryEscaping = (
  characters: readonly string[],
  classes: Readonly<Record<string, string>> = {},
): string =>
  characters
    .map((character) => {
      const plain = classes[character] ?? literal(character)
      return `(?:${[plain, ...escapesOf(character)].join('|')})`
    })
    .join('')

function escapesOf(character: string): string[] {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  const unicode = units.map((unit) => `\\\\+u${hexOf(unit, 4)}`).join('')
  const percent = Array.from(Buffer.from(character), (byte) => `%(?:25)*${hexOf(byte, 2)}`).join('')
  const codePoint = character.codePointAt(0) ?? 0
  const html = `&(?:amp;)*#(?:0*${codePoint}|[xX]0*${hexOf(codePoint, 1)});`
  const inJson = JSON.stringify(character).slice(1, -1)
  const json = inJson === character ? [] : [`\\\\+${literal(inJson.slice(1))}`]
  return [unicode, percent, html, ...json, ...(NAMED_ESCAPES[character] ?? [])]
}

const NAMED_ESCAPES: Readonly<Record<string, readonly string[]>> = {
  ' ': ['\\+'],
  '/': ['\\\\+/'],
  '&': ['&(?:amp;)+'],
  '<': ['&(?:amp;)*lt;'],
  '>': ['&(?:amp;)*gt;'],
  '"': ['&(?:amp;)*quot;'],
  "'": ['&(?:amp;)*apos;', "\\\\+'"],
}

const hexOf = (value: number, digits: number): string =>
  value.toString(16).padStart(digits, '0').replace(/[a-f]/g, eitherCase)

const eitherCase = (letter: string): string => `[${letter}${letter.toUpperCase()}]`

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/**
 * Returns the Base64 forms of a secret inside a longer text. Base64 encodes groups of three bytes, so there is one form
 * for each position of the secret's first byte in its group. The characters that also depend on neighboring bytes are
 * omitted.
 */
const base64Of = (secret: Buffer): string[] =>
  [0, 1, 2].map((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), secret])
    const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor((padded.length * 8) / 6)]
    return padded.toString('base64').slice(from, to)
  })
