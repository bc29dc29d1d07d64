import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { startFake } from '../../fakes/kit/start-fake.ts'
import { askAccount } from '../../prove/live/ask-account.ts'
import { type LiveProvider, liveProviders } from '../../prove/live/live-providers.ts'
import { adapters } from '../../support/providers/adapters.ts'
import { subjects } from '../../support/providers/subjects.ts'

/** How the fake of a provider is signed in to, as the environment says it. */
function environmentOf({ code, variables }: LiveProvider, url: string): Record<string, string> {
  const credentials = subjects.find(({ provider }) => provider === code)?.credentials(url) ?? {}
  return Object.fromEntries(variables.map(({ name, credential }) => [name, credentials[credential] ?? '']))
}

async function ask(provider: LiveProvider, url: string, environment: Readonly<Record<string, string>>) {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const failures = await askAccount({ provider, environment, url, days: 2, print })
  return { said: lines.join('\n'), failures }
}

describe.each(liveProviders)('a live account at $code', (provider) => {
  test('is read, a page of each model, and nothing of it is told', async () => {
    await using fake = await startFake(provider.code, { vehicles: 3, days: 3, now: new Date().toISOString() })
    const environment = environmentOf(provider, fake.url)
    const { said, failures } = await ask(provider, fake.url, environment)
    expect(failures).toEqual([])
    expect(said).toMatch(/^the account is known/m)
    expect(said).toMatch(/^Vehicle +3 on the first page, none left out$/m)
    expect(said).toMatch(/^Trip +[1-9]\d* on the first page, none left out$/m)
    const vehicles = await fake.truth<{ name: string; vin: string | null }[]>('Vehicle')
    const secrets = [
      ...Object.values(environment),
      ...vehicles.flatMap(({ name, vin }) => [name, vin ?? name]),
    ]
    expect(secrets.filter((secret) => said.includes(secret))).toEqual([])
  })

  test('whose sign-in is refused is a failure', async () => {
    await using fake = await startFake(provider.code, { vehicles: 1, days: 1 })
    await fake.fail({ kind: 'status', status: 401, times: null })
    const { said, failures } = await ask(provider, fake.url, environmentOf(provider, fake.url))
    expect([said, failures]).toEqual(['', [expect.stringMatching(/^the account is not known: revoked/)]])
  })

  test('is asked for by every variable that is missing', async () => {
    const { failures } = await ask(provider, 'http://127.0.0.1:1', {})
    const needed = provider.variables.filter(({ isOptional = false }) => !isOptional)
    expect(failures).toEqual(needed.map(({ name }) => expect.stringContaining(`${name} is not set`)))
  })
})

test('every provider can be asked for real, and is proved with a fake', () => {
  const known = Object.keys(adapters).filter((code) => code !== 'sandbox')
  expect(liveProviders.map(({ code }) => code).toSorted()).toEqual(known.toSorted())
  expect(subjects.map(({ provider }) => provider).toSorted()).toEqual(known.toSorted())
})

test('as a proof it ends with 1 where there is no account, and says what is missing', async () => {
  const usual = Object.entries(process.env).filter(([name]) => !name.startsWith('LIVE_'))
  const child = spawn(process.execPath, ['dist/test/prove/main.js', 'live', '--provider', 'samsara'], {
    env: Object.fromEntries(usual),
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  expect(code).toBe(1)
  expect(said).toContain('FAILED LIVE_SAMSARA_TOKEN is not set')
})
