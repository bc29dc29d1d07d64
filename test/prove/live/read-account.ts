import type { ProviderApi } from '../../../src/providers/provider-api.ts'
import type { ProviderAdapter, ProviderCredentials, Reader } from '../../../src/providers/provider.ts'
import type { LiveProvider } from './live-providers.ts'
import { KnownRoster, type Outcome, readOnce, whyOf } from './read-once.ts'

type Environment = Readonly<Record<string, string | undefined>>

interface Asking {
  readonly provider: LiveProvider
  readonly environment: Environment
  /** URL that replaces the provider's own. */
  readonly url: string | undefined
  readonly days: number
  print(line: string): void
}

/** Reads a page of each model of the account in the environment. Returns the failures. */
export async function askAccount({ provider, environment, url, days, print }: Asking): Promise<string[]> {
  const missing = missingIn(provider, environment)
  if (missing.length > 0) return missing
  const adapter = provider.adapter(url)
  const credentials = credentialsOf(provider, environment)
  const api = adapter.api(credentials, new AbortController().signal)
  try {
    const { sourceId, timeZone } = await adapter.identify(api, credentials)
    if (sourceId === '') return ['the account has no id']
    print(`the account is known${timeZone === null ? '' : ', and its time zone'}`)
  } catch (error) {
    return [`the account is not known: ${whyOf(error)}`]
  }
  return readAll(adapter, api, days, print)
}

const DAY_MS = 86_400_000

async function readAll(
  adapter: ProviderAdapter,
  api: ProviderApi,
  days: number,
  print: Asking['print'],
): Promise<string[]> {
  const to = Date.now()
  const window = { from: to - days * DAY_MS, to }
  const roster = new KnownRoster()
  const failures: string[] = []
  for (const [model, reader] of readersOf(adapter)) {
    const outcome = await readOnce(api, model, reader, window, roster)
    print(`${model.padEnd(24)}${lineOf(outcome)}`)
    const why = failureIn(outcome)
    if (why !== null) failures.push(`${model}: ${why}`)
  }
  return failures
}

const missingIn = ({ code, variables }: LiveProvider, environment: Environment): string[] =>
  variables
    .filter(({ name, isOptional = false }) => !isOptional && !environment[name])
    .map(({ name }) => `${name} is not set: this proof needs an account at ${code}`)

const credentialsOf = ({ variables }: LiveProvider, environment: Environment): ProviderCredentials =>
  Object.fromEntries(
    variables.flatMap(({ name, credential }) => (environment[name] ? [[credential, environment[name]]] : [])),
  )

/** Roster models come first: others are requested by their ids. */
const FIRST = ['Group', 'Driver', 'Vehicle', 'Trailer', 'Device']

function readersOf({ readers, latest }: ProviderAdapter): [string, Reader<object>][] {
  const all = Object.entries({ ...readers, ...latest }) as [string, Reader<object>][]
  return [
    ...FIRST.flatMap((first) => all.filter(([model]) => model === first)),
    ...all.filter(([model]) => !FIRST.includes(model)),
  ]
}

function lineOf({ records, leftOut, unread, failure }: Outcome): string {
  if (failure) return failure.isPermission ? 'the account may not read it' : `not read: ${failure.why}`
  const lost = leftOut === 0 ? 'none left out' : `${leftOut} left out: ${unread.join('; ')}`
  return `${String(records).padStart(6)} on the first page, ${lost}`
}

/** Some skipped records are reported; if all are skipped, the check fails. */
function failureIn({ records, leftOut, failure }: Outcome): string | null {
  if (failure) return failure.isPermission ? null : failure.why
  return records > 0 && leftOut === records ? 'no record of its page is readable' : null
}
