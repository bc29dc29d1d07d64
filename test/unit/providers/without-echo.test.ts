import { describe, expect, test } from 'vitest'
import { secretsIn } from '../../../src/providers/credential-secrets.ts'
import type { SignIn } from '../../../src/providers/provider.ts'
import {
  redactSecretsInBytes,
  redactSecretsInError,
  redactSecrets,
} from '../../../src/platform/logging/redact-secrets.ts'

const SECRETS = [
  'not-a-real-key-1',
  'p"l\\anted/päss wörd+&<>\'%41=😀',
  'QUJDREVG/+=planted',
  'with\nlines\tand tabs',
  '$&.*+?^{}()|[]-$1',
]

const inUnicode = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')

const inHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

/** Encodings in which a provider may echo a secret. */
const encodings: Readonly<Record<string, (secret: string) => string>> = {
  'as plain text': (secret) => secret,
  'as JSON': (secret) => JSON.stringify({ error: `${secret} is unknown` }),
  'as JSON in JSON': (secret) => JSON.stringify({ raw: JSON.stringify({ raw: JSON.stringify({ secret }) }) }),
  'as JSON with each character escaped': (secret) => `{"key":"${inUnicode(secret)}"}`,
  'as JSON with slashes escaped': (secret) => JSON.stringify({ secret }).replaceAll('/', '\\/'),
  'in a URL': (secret) => `https://example.com/?key=${encodeURIComponent(secret)}&a=b`,
  'in a URL in a URL': (secret) =>
    `https://example.com/?to=${encodeURIComponent(`/?key=${encodeURIComponent(secret)}`)}`,
  'in a URL with lower-case escapes': (secret) =>
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  'as a form': (secret) => new URLSearchParams({ user: 'ada', password: secret }).toString(),
  'in hexadecimal': (secret) => Buffer.from(secret).toString('hex'),
  'in upper-case hexadecimal': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'as HTML': (secret) => `<p title="${inHtml(secret)}">${inHtml(inHtml(secret))}</p>`,
  ...Object.fromEntries(
    (['base64', 'base64url'] as const).flatMap((encoding) =>
      ['', 'a', 'ab', 'user:', 'ümlaut:'].map((before) => [
        `in ${encoding} after ${JSON.stringify(before)}`,
        (secret: string) => Buffer.from(`${before}${secret}, and more`).toString(encoding),
      ]),
    ),
  ),
  'in Base64 in JSON with slashes escaped': (secret) =>
    JSON.stringify({ sent: Buffer.from(`x:${secret}`).toString('base64') }).replaceAll('/', '\\/'),
  'in Base64 in a URL': (secret) => encodeURIComponent(Buffer.from(`x:${secret}`).toString('base64')),
}

describe.each(SECRETS)('the secret %j', (secret) => {
  test.each(Object.entries(encodings))('is redacted %s', (_, encode) => {
    const text = redactSecrets(encode(secret), [secret])
    expect(text).toContain('…')
    expect(text).not.toContain(secret)
    expect(text.length).toBeLessThanOrEqual(encode(secret).length - secret.length + 1)
    expect(redactSecretsInBytes(Buffer.from(encode(secret)), [secret]).toString()).toBe(
      text.replaceAll('…', '...'),
    )
  })
})

test('the rest of a text is unchanged', () => {
  expect(redactSecrets('{"error":"not-a-real-key-1 is unknown"}', ['not-a-real-key-1'])).toBe(
    '{"error":"… is unknown"}',
  )
  expect(redactSecrets('nothing of it', ['not-a-real-key-1'])).toBe('nothing of it')
})

test('a secret that starts with another secret is redacted completely', () => {
  expect(redactSecrets('a-secret-and-more a-secret', ['a-secret', 'a-secret-and-more'])).toBe('… …')
})

test('a value too short for a credential is not redacted, because it occurs in texts by chance', () => {
  expect(redactSecrets('{"unit":"km"}', ['km'])).toBe('{"unit":"km"}')
  expect(redactSecrets('{"unit":"km"}', [])).toBe('{"unit":"km"}')
})

test('bytes without a secret are unchanged', () => {
  const bytes = Buffer.from([0xff, 0xd8, 0x00, 0x80, 0x41])
  expect(redactSecretsInBytes(bytes, ['not-a-real-key-1'])).toBe(bytes)
  const withSecret = Buffer.concat([bytes, Buffer.from('not-a-real-key-1'), bytes])
  expect(redactSecretsInBytes(withSecret, ['not-a-real-key-1'])).toEqual(
    Buffer.concat([bytes, Buffer.from('...'), bytes]),
  )
})

test('an error with a secret, even in its cause, is replaced by its name', () => {
  const secrets = ['not-a-real-key-1']
  const harmless = new Error('reset', { cause: new Error('by peer') })
  expect(redactSecretsInError(harmless, secrets)).toBe(harmless)
  const causes = [
    new TypeError('"Bearer not-a-real-key-1" is no header'),
    new TypeError('no', { cause: new Error('not-a-real-key-1') }),
    Object.assign(new TypeError('no'), { data: Buffer.from('not-a-real-key-1').toString('base64') }),
    new TypeError('no', { cause: new AggregateError([new Error('not-a-real-key-1')]) }),
  ]
  for (const cause of causes) expect(redactSecretsInError(cause, secrets)).toEqual(new Error('TypeError'))
})

describe('the secrets of credentials', () => {
  const signIns: readonly SignIn[] = [
    {
      id: 'password',
      kind: 'form',
      label: 'withPassword',
      fields: [
        { name: 'user', kind: 'text', label: 'user' },
        { name: 'password', kind: 'password', label: 'password' },
        { name: 'host', kind: 'url', label: 'host' },
      ],
    },
    { id: 'oauth', kind: 'oauth', label: 'atProvider' },
  ]

  test('are all values that a form hides, and the pairs that basic authentication sends', () => {
    expect(
      secretsIn({ user: 'ada', password: 'open', session: 'a-session', expiresAt: 'soon' }, signIns),
    ).toEqual(['open', 'a-session', 'ada:open', 'ada:a-session'])
    expect(secretsIn({ accessToken: 'one', refreshToken: 'two', expiresAt: 'soon' }, signIns)).toEqual([
      'one',
      'two',
    ])
  })

  test('redact basic authentication even with a short password', () => {
    const sent = Buffer.from('ada.byron:open').toString('base64')
    const secrets = secretsIn({ user: 'ada.byron', password: 'open' }, signIns)
    expect(redactSecrets(`Basic ${sent}`, secrets)).toMatch(/^Basic ….?=*$/)
  })
})
