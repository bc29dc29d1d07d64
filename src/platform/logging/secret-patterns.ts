/** How a text finds a secret again, in whichever form it stands there. */

const BASE64_CLASSES: Readonly<Record<string, string>> = { '+': '[+-]', '/': '[/_]' }

/** Finds everything that is a secret, also as texts of other kinds have it: encoded, escaped, in hexadecimal. */
export interface SecretMatcher {
  /** Whether a text may have one. It is quick, so that the many that have none cost little. */
  readonly hint: RegExp
  readonly all: RegExp
}

const HINT_LENGTH = 6

export const createSecretMatcher = (secrets: readonly string[]): SecretMatcher => ({
  hint: new RegExp(secrets.flatMap((secret) => secretForms(secret, HINT_LENGTH)).join('|')),
  all: new RegExp(secrets.flatMap((secret) => secretForms(secret)).join('|'), 'g'),
})

/** Patterns of a secret, or of the beginnings of its forms. */
const secretForms = (secret: string, length?: number): string[] => {
  const bytes = Buffer.from(secret)
  return [
    inEveryEscaping(Array.from(secret).slice(0, length)),
    ...base64Of(bytes).map((text) => inEveryEscaping(Array.from(text).slice(0, length), BASE64_CLASSES)),
    bytes.toString('hex').slice(0, length).replace(/[a-f]/g, eitherCase),
  ]
}

/** Each character as it is, or as JSON, addresses and HTML write it, also where they do it more than once. */
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
  const point = character.codePointAt(0) ?? 0
  const html = `&(?:amp;)*#(?:0*${point}|[xX]0*${hexOf(point, 1)});`
  const inJson = JSON.stringify(character).slice(1, -1)
  const json = inJson === character ? [] : [`\\\\+${literal(inJson.slice(1))}`]
  return [unicode, percent, html, ...json, ...(NAMED[character] ?? [])]
}

const NAMED: Readonly<Record<string, readonly string[]>> = {
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

/** What of its Base64 is the same whatever stands around it, for each of the three places that it can begin at. */
const base64Of = (secret: Buffer): string[] =>
  [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), secret])
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6)]
    return whole.toString('base64').slice(from, to)
  })
