import { describe, expect, test } from 'vitest'
import { headerRedactor } from '../../../src/webhooks/attempts/redact-headers.ts'
import { echoHeaders, withEchoes } from '../../support/secrets/echoed-secrets.ts'
import { foundIn } from '../../support/secrets/secret-search.ts'

const VALUES = [
  'planted-key-of-a-gateway',
  'with "quotes", \\slashes\\ & 50% more + <signs>',
  'Bearer planted-token-that-opens-nothing',
]

const redactorOf = (...values: string[]) =>
  headerRedactor(values.map((value, at) => ({ name: `x-header-${at}`, value })))

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`

describe('the response of a receiver', () => {
  test.each(VALUES)('loses %s in each encoding', (value) => {
    const redact = redactorOf(...VALUES)
    const secrets = new Map([[value.replace(/^Bearer /, ''), 'the value']])
    const { echo } = JSON.parse(withEchoes('{}', [value])) as { echo: Record<string, unknown>[] }
    const texts = [
      withEchoes('{}', [value]),
      JSON.stringify(JSON.stringify(JSON.stringify({ value }))),
      ...Object.values({ ...echo[0], ...echoHeaders([value]) }).map(String),
      ...Object.keys(echo[0] ?? {}),
    ]
    for (const text of texts) {
      expect(foundIn([{ where: text, text: redact(text) }], secrets)).toEqual([])
      expect(foundIn([{ where: text, text: redact(JSON.stringify({ text })) }], secrets)).toEqual([])
    }
  })

  test('loses the password of basic authentication, in plain and in encoded form', () => {
    const redact = redactorOf(basic('fleet:pässword of nobody'))
    const text = `refused pässword of nobody, ${basic('fleet:pässword of nobody').slice(6)} for fleet`
    expect(redact(text)).toBe('refused …, … for fleet')
    expect(redactorOf(basic('user-without-password:'))('no user-without-password here')).toBe('no … here')
  })

  test('loses a short value only as a word', () => {
    const redact = redactorOf('a.c', '7')
    expect(redact('{"x":"a.c","abc":7,"n":17,"y":"xa.c"}')).toBe('{"x":"…","abc":…,"n":17,"y":"xa.c"}')
  })

  test('loses the start of a value that the size limit has cut', () => {
    const [value = ''] = VALUES
    const redact = redactorOf(...VALUES)
    expect(redact(`echo: ${value.slice(0, 15)}`)).toBe('echo: …')
    expect(redact(`echo: ${Buffer.from(value).toString('hex').slice(0, 31)}`)).toBe('echo: …')
  })

  test('stays as it is without a secret', () => {
    const text = '{"message":"50% \\"more\\" &amp; \\u00fc","plant":"planted"}'
    expect(redactorOf(...VALUES)(text)).toBe(text)
    expect(redactorOf()(text)).toBe(text)
  })

  test('is redacted at once, even for ten values of maximum length', () => {
    const values = Array.from({ length: 10 }, (_, at) => `${'a'.repeat(500)}${at}${'a'.repeat(499)}`)
    const redact = redactorOf(...values)
    const startedAt = performance.now()
    expect(redact('a'.repeat(16_384)).endsWith('a…')).toBe(true)
    expect(redact(`${'a"%41'.repeat(3000)}${values[3]}`)).not.toContain(values[3])
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })
})
