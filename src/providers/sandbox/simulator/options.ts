import { parseArgs } from 'node:util'
import { MAX_FLEET_SIZE } from './world/fleet.ts'
import { parseUrl } from './parse-url.ts'

export interface Options {
  port: number
  host: string
  fleetSize: number
  seed: number
  ratePerSecond: number
  windowSeconds: number
  accountBudget: number
  totalBudget: number
  latencyMs: number
  tokenSeconds: number
  refreshGraceSeconds: number
  keepsReusedConsent: boolean
  redirectPrefix: string
  controls: boolean
}

export const DEFAULTS: Options = {
  port: 0,
  host: '127.0.0.1',
  fleetSize: 50,
  seed: 1,
  ratePerSecond: 100,
  windowSeconds: 1,
  accountBudget: 0,
  totalBudget: 0,
  latencyMs: 0,
  tokenSeconds: 3600,
  refreshGraceSeconds: 30,
  keepsReusedConsent: false,
  redirectPrefix: '',
  controls: false,
}

export const HELP = `Usage: program.js [options]

A simulated telematics provider with an HTTP API. Defaults are in parentheses.

  --port N             port to listen on, 0 for any free port (0)
  --host HOST          address to listen on (127.0.0.1)
  --fleet-size N       vehicles per account, 1 to ${MAX_FLEET_SIZE} (50)
  --seed N             seed of the simulated data (1)
  --rate-per-second N  requests per second and API key (100)
  --window-seconds N   seconds in the sliding window of the two budgets (1)
  --account-budget N   requests per window and API key, 0 for no limit (0)
  --total-budget N     requests per window of all API keys together, 0 for no limit (0)
  --latency-ms N       milliseconds before a response, with up to 50 % added at random (0)
  --token-seconds N    seconds for which access tokens and sessions are valid (3600)
  --refresh-grace-seconds N  seconds for which a used refresh token can be used again (30)
  --keep-reused-consent  refuse a used refresh token without a revocation of its consent
  --redirect-prefix URL  accept redirect URLs with this prefix; loopback URLs are always accepted
  --controls           serve /control, which lets tests change the simulation
  --help               print this help
`

const OPTION_TYPES = {
  port: { type: 'string' },
  host: { type: 'string' },
  'fleet-size': { type: 'string' },
  seed: { type: 'string' },
  'rate-per-second': { type: 'string' },
  'window-seconds': { type: 'string' },
  'account-budget': { type: 'string' },
  'total-budget': { type: 'string' },
  'latency-ms': { type: 'string' },
  'token-seconds': { type: 'string' },
  'refresh-grace-seconds': { type: 'string' },
  'keep-reused-consent': { type: 'boolean' },
  'redirect-prefix': { type: 'string' },
  controls: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

/** Parses a command line. Returns 'help' if it requests help. Returns all problems of an invalid command line. */
export function readOptions(args: string[]): Options | 'help' | { problems: string[] } {
  const { values, tokens } = parseArgs({ args, options: OPTION_TYPES, strict: false, tokens: true })
  const problems = tokens.flatMap(problemsOf)
  const numberOf = (name: keyof typeof OPTION_TYPES, low: number, high: number, defaultValue: number) => {
    const value = values[name]
    if (typeof value !== 'string') return defaultValue
    const isInRange = /^\d+(\.\d+)?$/.test(value) && Number(value) >= low && Number(value) <= high
    const mayBeFraction = name === 'rate-per-second'
    if (!isInRange || (!mayBeFraction && !Number.isInteger(Number(value))))
      problems.push(`--${name} must be a ${mayBeFraction ? '' : 'whole '}number from ${low} to ${high}`)
    return Number(value)
  }
  const prefix = values['redirect-prefix']
  if (typeof prefix === 'string' && prefix !== '' && !parseUrl(prefix))
    problems.push('--redirect-prefix must be a URL, such as https://app.example.com/link')
  const options = {
    port: numberOf('port', 0, 65_535, DEFAULTS.port),
    host: typeof values.host === 'string' ? values.host : DEFAULTS.host,
    fleetSize: numberOf('fleet-size', 1, MAX_FLEET_SIZE, DEFAULTS.fleetSize),
    seed: numberOf('seed', 0, 999_999_999, DEFAULTS.seed),
    ratePerSecond: numberOf('rate-per-second', 0.1, 1_000_000, DEFAULTS.ratePerSecond),
    windowSeconds: numberOf('window-seconds', 1, 86_400, DEFAULTS.windowSeconds),
    accountBudget: numberOf('account-budget', 0, 1_000_000, DEFAULTS.accountBudget),
    totalBudget: numberOf('total-budget', 0, 1_000_000, DEFAULTS.totalBudget),
    latencyMs: numberOf('latency-ms', 0, 60_000, DEFAULTS.latencyMs),
    tokenSeconds: numberOf('token-seconds', 1, 31_536_000, DEFAULTS.tokenSeconds),
    refreshGraceSeconds: numberOf('refresh-grace-seconds', 0, 86_400, DEFAULTS.refreshGraceSeconds),
    keepsReusedConsent: values['keep-reused-consent'] === true,
    redirectPrefix: typeof prefix === 'string' ? prefix : DEFAULTS.redirectPrefix,
    controls: values.controls === true,
  }
  if (values.help) return 'help'
  return problems.length > 0 ? { problems } : options
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number]

/** Returns the problems of a token. A strict parser would throw at the first problem of the command line. */
function problemsOf(token: Token): string[] {
  if (token.kind === 'positional') return [`unexpected argument ${token.value}`]
  if (token.kind !== 'option') return []
  if (!Object.hasOwn(OPTION_TYPES, token.name)) return [`unknown option ${token.rawName}`]
  const { type } = OPTION_TYPES[token.name as keyof typeof OPTION_TYPES]
  if (type === 'string' && !token.value) return [`${token.rawName} needs a value`]
  return type === 'boolean' && token.value !== undefined ? [`${token.rawName} takes no value`] : []
}
