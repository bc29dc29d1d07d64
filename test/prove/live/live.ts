import { parseArgs } from 'node:util'
import type { Proof } from '../proof.ts'
import { askAccount } from './ask-account.ts'
import { type LiveProvider, liveProviders } from './live-providers.ts'

const HELP = [
  '--provider NAME  which provider is asked; its credentials are in the environment:',
  ...liveProviders.map(({ code, variables }) => `  ${code.padEnd(15)}${variables.map(told).join(', ')}`),
  '--url URL        an address that stands in for the provider, such as that of its fake',
  '--days N         how far back is read (2)',
].join('\n')

function told({ name, isOptional = false }: LiveProvider['variables'][number]): string {
  return isOptional ? `${name} (optional)` : name
}

/** Asks a real provider with a real account, which no test has: little, only reading, and telling nothing of it. */
export const live: Proof = {
  name: 'live',
  says: 'a real account is read, a page of each model: opt-in, with credentials from the environment',
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
    if (!(days > 0)) return [`--days is a number above 0, not ${values.days}`]
    const environment = process.env
    return askAccount({ provider, environment, url: values.url, days, tell: (line) => console.log(line) })
  },
}
