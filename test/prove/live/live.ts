import { parseArgs } from 'node:util'
import type { Proof } from '../proof.ts'
import { askAccount } from './read-account.ts'
import { type LiveProvider, liveProviders } from './live-providers.ts'

const HELP = [
  '--provider NAME  provider to read; its credentials are in the environment:',
  ...liveProviders.map(({ code, variables }) => `  ${code.padEnd(15)}${variables.map(reported).join(', ')}`),
  "--url URL        URL that replaces the provider's, for example that of its fake",
  '--days N         length of the period in days (2)',
].join('\n')

function reported({ name, isOptional = false }: LiveProvider['variables'][number]): string {
  return isOptional ? `${name} (optional)` : name
}

/**
 * Reads a real provider with a real account. It sends few requests, changes nothing, and prints no data of
 * the account.
 */
export const live: Proof = {
  name: 'live',
  description: 'reads a page of each model of a real account: opt-in, with credentials from the environment',
  needs: 'an account at a provider',
  async run(args) {
    const text = { type: 'string' } as const
    const options = { provider: text, url: text, days: text, help: { type: 'boolean' } } as const
    const { values } = parseArgs({ args: [...args], options })
    if (values.help) {
      console.log(HELP)
      return null
    }
    const provider = liveProviders.find(({ code }) => code === values.provider)
    if (!provider)
      return [`--provider is ${liveProviders.map(({ code }) => code).join(', ')}, not ${values.provider}`]
    const days = Number(values.days ?? 2)
    if (!(days > 0)) return [`--days must be a number above 0, not ${values.days}`]
    const environment = process.env
    return askAccount({ provider, environment, url: values.url, days, print: (line) => console.log(line) })
  },
}
