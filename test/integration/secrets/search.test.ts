import { expect, test } from 'vitest'
import { withEchoes, echoHeaders } from '../../support/secrets/echoed-secrets.ts'
import { foundIn } from '../../support/secrets/secret-search.ts'

const SECRETS = new Map([
  ['planted-key-that-opens-nothing', 'the key'],
  ['pl"nted p\\ss/wörd+of 1% nobody', 'the password'],
])

test.each([...SECRETS])('what is looked for is found in each echo: %s', (secret, name) => {
  const { echo } = JSON.parse(withEchoes('{}', [secret])) as { echo: Record<string, unknown>[] }
  const [ways = {}] = echo
  const texts = Object.entries({ ...ways, ...echoHeaders([secret]) }).filter(([, text]) => text !== '')
  for (const [way, text] of texts.filter(([, text]) => typeof text === 'string')) {
    if (way === 'www-authenticate') continue
    for (const stored of [String(text), JSON.stringify({ text }), JSON.stringify(JSON.stringify([text]))])
      expect([way, foundIn([{ where: way, text: stored }], SECRETS)]).toEqual([way, [`${name} in ${way}`]])
  }
  const whole = withEchoes(JSON.stringify({ data: [{ name: 'one' }] }), [secret])
  expect(foundIn([{ where: 'all', text: whole }], SECRETS)).toEqual([`${name} in all`])
})

test('a part of a secret is found, and its ends are not', () => {
  const [[secret]] = [...SECRETS] as [[string, string]]
  const found = (text: string) => foundIn([{ where: 'here', text }], SECRETS)
  expect(found(`${secret.slice(5, -5)}`)).toEqual(['the key in here'])
  expect(found(`${secret.slice(0, 6)}…${secret.slice(-4)}`)).toEqual([])
})
