import { expect, test } from 'vitest'
import { withEchoes, echoHeaders } from '../../support/secrets/echoed-secrets.ts'
import { foundIn } from '../../support/secrets/secret-search.ts'

const SECRETS = new Map([
  ['planted-key-that-opens-nothing', 'the key'],
  ['pl"nted p\\ss/wörd+of 1% nobody', 'the password'],
])

test.each([...SECRETS])('the search finds a secret in each encoding: %s', (secret, name) => {
  const { echo } = JSON.parse(withEchoes('{}', [secret])) as { echo: Record<string, unknown>[] }
  const [encodings = {}] = echo
  const texts = Object.entries({ ...encodings, ...echoHeaders([secret]) }).filter(([, text]) => text !== '')
  for (const [encoding, text] of texts.filter(([, text]) => typeof text === 'string')) {
    if (encoding === 'www-authenticate') continue
    for (const stored of [String(text), JSON.stringify({ text }), JSON.stringify(JSON.stringify([text]))])
      expect([encoding, foundIn([{ where: encoding, text: stored }], SECRETS)]).toEqual([
        encoding,
        [`${name} in ${encoding}`],
      ])
  }
  const whole = withEchoes(JSON.stringify({ data: [{ name: 'one' }] }), [secret])
  expect(foundIn([{ where: 'all', text: whole }], SECRETS)).toEqual([`${name} in all`])
})

test('the search finds a part of a secret, but not its masked ends', () => {
  const [[secret]] = [...SECRETS] as [[string, string]]
  const found = (text: string) => foundIn([{ where: 'here', text }], SECRETS)
  expect(found(`${secret.slice(5, -5)}`)).toEqual(['the key in here'])
  expect(found(`${secret.slice(0, 6)}…${secret.slice(-4)}`)).toEqual([])
})
