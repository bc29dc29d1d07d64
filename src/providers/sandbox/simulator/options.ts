import { parseArgs } from 'node:util'
import { LARGEST_FLEET } from './world/fleet.ts'
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
  redirectPrefix: '',
  controls: false,
}

export const HELP = `Usage: program.js [options]

A simulated telematics provider that speaks HTTP.

  --port N             port to listen on, 0 for any free one (0)
  --host HOST          address to listen on (127.0.0.1)
  --fleet-size N       vehicles of an account, 1 to ${LARGEST_FLEET} (50)
  --seed N             another seed is another world (1)
  --rate-per-second N  requests an API key may make in a second (100)
  --window-seconds N   how long the windows are in which requests are counted (1)
  --account-budget N   requests an API key may make in any window, 0 for any number (0)
  --total-budget N     requests all keys may make in any window, 0 for any number (0)
  --latency-ms N       how long a request is under way, half as long again at most (0)
  --token-seconds N    how long access tokens and sessions are good (3600)
  --refresh-grace-seconds N  how long a refresh token that was used gives the same answer again (30)
  --redirect-prefix URL  where the authorize page may send browsers back to, beside their own machine
  --controls           serve /control, with which tests change the world
  --help               print this
`

const KINDS = {
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
  'redirect-prefix': { type: 'string' },
  controls: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

/** The options of a command line, 'help' when it asks for that, or all that is wrong with it. */
export function readOptions(args: string[]): Options | 'help' | { problems: string[] } {
  const { values, tokens } = parseArgs({ args, options: KINDS, strict: false, tokens: true })
  const problems = tokens.flatMap(problemWith)
  const number = (name: keyof typeof KINDS, low: number, high: number, fallback: number) => {
    const value = values[name]
    if (typeof value !== 'string') return fallback
    const ok = /^\d+(\.\d+)?$/.test(value) && Number(value) >= low && Number(value) <= high
    if (!ok || (name !== 'rate-per-second' && !Number.isInteger(Number(value)))) {
      problems.push(`--${name} must be a number from ${low} to ${high}`)
    }
    return Number(value)
  }
  const prefix = values['redirect-prefix']
  if (typeof prefix === 'string' && prefix !== '' && !parseUrl(prefix))
    problems.push('--redirect-prefix must be a URL')
  const options = {
    port: number('port', 0, 65_535, DEFAULTS.port),
    host: typeof values.host === 'string' ? values.host : DEFAULTS.host,
    fleetSize: number('fleet-size', 1, LARGEST_FLEET, DEFAULTS.fleetSize),
    seed: number('seed', 0, 999_999_999, DEFAULTS.seed),
    ratePerSecond: number('rate-per-second', 0.1, 1_000_000, DEFAULTS.ratePerSecond),
    windowSeconds: number('window-seconds', 1, 86_400, DEFAULTS.windowSeconds),
    accountBudget: number('account-budget', 0, 1_000_000, DEFAULTS.accountBudget),
    totalBudget: number('total-budget', 0, 1_000_000, DEFAULTS.totalBudget),
    latencyMs: number('latency-ms', 0, 60_000, DEFAULTS.latencyMs),
    tokenSeconds: number('token-seconds', 1, 31_536_000, DEFAULTS.tokenSeconds),
    refreshGraceSeconds: number('refresh-grace-seconds', 0, 86_400, DEFAULTS.refreshGraceSeconds),
    redirectPrefix: typeof prefix === 'string' ? prefix : DEFAULTS.redirectPrefix,
    controls: values.controls === true,
  }
  if (values.help) return 'help'
  return problems.length > 0 ? { problems } : options
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number]

/** What the parser lets pass when it is told to go on after a mistake. */
function problemWith(token: Token): string[] {
  if (token.kind === 'positional') return [`unexpected ${token.value}`]
  if (token.kind !== 'option') return []
  if (!Object.hasOwn(KINDS, token.name)) return [`unknown option ${token.rawName}`]
  const { type } = KINDS[token.name as keyof typeof KINDS]
  if (type === 'string' && !token.value) return [`${token.rawName} needs a value`]
  return type === 'boolean' && token.value !== undefined ? [`${token.rawName} takes no value`] : []
}
