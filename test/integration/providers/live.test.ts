import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { startFake } from '../../fakes/kit/start-fake.ts'
import { askAccount } from '../../prove/live/read-account.ts'
import { type LiveProvider, liveProviders } from '../../prove/live/live-providers.ts'
import { adapters } from '../../support/providers/adapters.ts'
import { subjects } from '../../support/providers/subjects/subjects.ts'

/** Returns the environment variables with the credentials of a provider's fake. */
function environmentOf({ code, variables }: LiveProvider, url: string): Record<string, string> {
  const credentials = subjects.find(({ provider }) => provider === code)?.credentials(url) ?? {}
  return Object.fromEntries(variables.map(({ name, credential }) => [name, credentials[credential] ?? '']))
}

async function runProbe(provider: LiveProvider, url: string, environment: Readonly<Record<string, string>>) {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const failures = await askAccount({ provider, environment, url, days: 2, print })
  return { output: lines.join('\n'), failures }
}

describe.each(liveProviders)('a live account at $code', (provider) => {
  test('is read by one page of each model, and its data are not printed', async () => {
    await using fake = await startFake(provider.code, { vehicles: 3, days: 3, now: new Date().toISOString() })
    const environment = environmentOf(provider, fake.url)
    const { output, failures } = await runProbe(provider, fake.url, environment)
    expect(failures).toEqual([])
    expect(output).toMatch(/^the account is known/m)
    expect(output).toMatch(/^Vehicle +3 on the first page, none left out$/m)
    expect(output).toMatch(/^Trip +[1-9]\d* on the first page, none left out$/m)
    const vehicles = await fake.truth<{ name: string; vin: string | null }[]>('Vehicle')
    const secrets = [
      ...Object.values(environment),
      ...vehicles.flatMap(({ name, vin }) => [name, vin ?? name]),
    ]
    expect(secrets.filter((secret) => output.includes(secret))).toEqual([])
  })

  test('reports a refused sign-in as a failure', async () => {
    await using fake = await startFake(provider.code, { vehicles: 1, days: 1 })
    await fake.fail({ kind: 'status', status: 401, times: null })
    const { output, failures } = await runProbe(provider, fake.url, environmentOf(provider, fake.url))
    expect([output, failures]).toEqual([
      '',
      [expect.stringMatching(/^the account is not known: invalid_credentials/)],
    ])
  })

  test('reports every missing variable', async () => {
    const { failures } = await runProbe(provider, 'http://127.0.0.1:1', {})
    const needed = provider.variables.filter(({ isOptional = false }) => !isOptional)
    expect(failures).toEqual(needed.map(({ name }) => expect.stringContaining(`${name} is not set`)))
  })
})

test('every provider has a live check and a fake', () => {
  const known = Object.keys(adapters).filter((code) => code !== 'sandbox')
  expect(liveProviders.map(({ code }) => code).toSorted()).toEqual(known.toSorted())
  expect(subjects.map(({ provider }) => provider).toSorted()).toEqual(known.toSorted())
})

test('the command exits with 1 without an account and names the missing variable', async () => {
  const otherVariables = Object.entries(process.env).filter(([name]) => !name.startsWith('LIVE_'))
  const child = spawn(process.execPath, ['dist/test/prove/main.js', 'live', '--provider', 'samsara'], {
    env: Object.fromEntries(otherVariables),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  expect(code).toBe(1)
  expect(output).toContain('FAILED LIVE_SAMSARA_TOKEN is not set')
})
