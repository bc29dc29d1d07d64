import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'

/** Every setting: an option of the command line, a variable of the environment, or both; the option wins. */

const whole = (least: number, most: number) =>
  z.coerce
    .number({ error: between(least, most) })
    .int({ error: between(least, most) })
    .min(least, between(least, most))
    .max(most, between(least, most))
const between = (least: number, most: number) => `must be a whole number from ${least} to ${most}`
const among = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` })
const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  })
const subgraphNames = ['connections', 'fleet', 'records', 'telemetry', 'events'] as const

const roles = [
  'all',
  'gateway',
  'worker',
  ...subgraphNames.map((name) => `subgraph:${name}` as const),
] as const

export type Role = (typeof roles)[number]

const switches = ['on', 'off', 'auto'] as const

const subgraphUrls = z.string().transform((text, context) => {
  const pairs = text
    .split(',')
    .filter(Boolean)
    .map((pair) => pair.split(/=(.*)/s))
  for (const [name = '', address = ''] of pairs)
    if (!subgraphNames.includes(name as never) || !URL.canParse(address))
      context.addIssue({ code: 'custom', message: `must be like fleet=http://host:port/graphql,records=…` })
  return new Map(pairs.map(([name, address]) => [String(name), String(address)]))
})

interface Setting {
  readonly option?: string
  readonly variable?: string
  readonly value?: string
  readonly schema: z.ZodType
  readonly preset?: unknown
  readonly says: string
}

export const settings = {
  port: {
    option: 'port',
    variable: 'PORT',
    value: 'N',
    schema: whole(0, 65_535),
    preset: '8080',
    says: 'port to listen on, 0 for any free one',
  },
  host: {
    option: 'host',
    variable: 'HOST',
    value: 'ADDRESS',
    schema: z.string().min(1),
    preset: '127.0.0.1',
    says: 'address to listen on',
  },
  dataDir: {
    option: 'data',
    variable: 'DATA_DIR',
    value: 'DIR',
    schema: z.string().min(1),
    preset: 'data',
    says: 'folder of the embedded database and the key file',
  },
  role: {
    option: 'role',
    variable: 'ROLE',
    value: 'ROLE',
    schema: among(roles),
    preset: 'all',
    says: 'all, gateway, worker or subgraph:NAME',
  },
  fleetSize: {
    option: 'fleet-size',
    variable: 'FLEET_SIZE',
    value: 'N',
    schema: whole(1, 100_000),
    preset: '50',
    says: "vehicles of the demo's fleet, 1 to 100,000",
  },
  demo: {
    option: 'demo',
    variable: 'DEMO',
    value: 'on|off|auto',
    schema: among(switches),
    preset: 'auto',
    says: 'link the demo fleet at start; auto: where the database is embedded',
  },
  readyFile: {
    option: 'ready-file',
    value: 'PATH',
    schema: z.string().min(1),
    says: 'JSON file to write when the service is ready',
  },
  mysqlUrl: {
    variable: 'MYSQL_URL',
    schema: url('mysql:'),
    says: 'MySQL or MariaDB server; without it the embedded database is used',
  },
  mysqlPool: {
    variable: 'MYSQL_POOL',
    schema: whole(2, 500),
    preset: '10',
    says: 'most connections to the database',
  },
  redisUrl: {
    variable: 'REDIS_URL',
    schema: url('redis:', 'rediss:'),
    says: 'Redis server for jobs; without it they run in this process',
  },
  queuePrefix: {
    variable: 'QUEUE_PREFIX',
    schema: z.string().min(1),
    preset: 'odograph',
    says: 'what every key in Redis starts with',
  },
  encryptionKey: {
    variable: 'ENCRYPTION_KEY',
    schema: z
      .base64()
      .refine((text) => Buffer.from(text, 'base64').length === 32, { message: 'must be 32 bytes in base64' }),
    says: 'key of the secrets at rest, 32 bytes in base64; without it a key file is made',
  },
  publicUrl: {
    variable: 'PUBLIC_URL',
    schema: url('http:', 'https:'),
    says: 'where callers reach the service',
  },
  linkUrl: {
    variable: 'LINK_URL',
    schema: url('http:', 'https:'),
    says: 'where fleets reach the link pages',
  },
  sandboxUrl: {
    variable: 'SANDBOX_URL',
    schema: url('http:', 'https:'),
    says: 'a running sandbox provider; without it one is started for the demo',
  },
  subgraphUrls: {
    variable: 'SUBGRAPH_URLS',
    schema: subgraphUrls,
    preset: '',
    says: 'subgraphs in other processes, as name=address pairs with commas',
  },
  restUnknownParams: {
    variable: 'REST_UNKNOWN_PARAMS',
    schema: among(['refuse', 'ignore']),
    preset: 'refuse',
    says: 'what REST does with query parameters that it does not know',
  },
  pollSeconds: {
    variable: 'LOCATION_POLL_SECONDS',
    schema: whole(1, 86_400),
    preset: '5',
    says: 'how often managed polling asks for locations',
  },
  syncMinutes: {
    variable: 'SYNC_INTERVAL_MINUTES',
    schema: whole(1, 10_080),
    preset: '120',
    says: 'how often an automatic connection is synced',
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    schema: among(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    preset: 'warn',
    says: 'least level of what is logged',
  },
  environment: {
    variable: 'NODE_ENV',
    schema: z.string(),
    says: 'production turns off what is auto below',
  },
  introspection: {
    variable: 'INTROSPECTION',
    schema: among(switches),
    preset: 'auto',
    says: 'on, off or auto: whether callers may read the GraphQL schema',
  },
  graphiql: {
    variable: 'GRAPHIQL',
    schema: among(switches),
    preset: 'auto',
    says: 'on, off or auto: whether browsers get GraphiQL at /graphql',
  },
} satisfies Record<string, Setting>

type Settings = typeof settings
type Value<S extends Setting> = S extends { preset: unknown }
  ? z.output<S['schema']>
  : z.output<S['schema']> | undefined

export type Config = { readonly [K in keyof Settings]: Value<Settings[K]> }

/** Whether something for developers is on: where it is auto, it is unless this is production. */
export const isOn = (
  name: 'introspection' | 'graphiql',
  config: Pick<Config, 'introspection' | 'graphiql' | 'environment'>,
): boolean => config[name] === 'on' || (config[name] === 'auto' && config.environment !== 'production')

export type Asked =
  { readonly help: true } | { readonly problems: readonly string[] } | { readonly config: Config }

/** Reads the command line and the environment; where something is wrong, everything that is. */
export function readConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Asked {
  const { given, problems, help } = optionsIn(args)
  if (help) return { help: true }
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings) as [string, Setting][]) {
    const text = given.get(setting.option ?? '') ?? fromEnvironment(setting, environment) ?? setting.preset
    if (text === undefined) continue
    const result = setting.schema.safeParse(text)
    if (result.success) values[name] = result.data
    else problems.push(`${labelOf(setting, given)}: ${result.error.issues[0]?.message}`)
  }
  const config = values as Config
  if (config.dataDir !== undefined) problems.push(...folderProblems(config.dataDir))
  if (problems.length === 0) problems.push(...contradictions(config))
  return problems.length > 0 ? { problems } : { config }
}

function contradictions({ role, redisUrl, mysqlUrl }: Config): string[] {
  const named = !mysqlUrl || new URL(mysqlUrl).pathname.length > 1
  const unnamed = named ? [] : ['MYSQL_URL: must name a database, as in mysql://user@host:3306/odograph']
  if (role === 'all') return unnamed
  return [
    ...unnamed,
    ...(mysqlUrl ? [] : [`--role ${role} needs MYSQL_URL: the embedded database serves one process`]),
    ...(redisUrl ? [] : [`--role ${role} needs REDIS_URL: jobs and signals go between processes`]),
  ]
}

function folderProblems(folder: string): string[] {
  try {
    makeFolder(resolve(folder))
    accessSync(folder, constants.W_OK)
    return []
  } catch (error) {
    return [`--data ${folder}: the folder cannot be written (${(error as NodeJS.ErrnoException).code})`]
  }
}

/** Folder by folder: node's own recursion never ends where the system lets nobody make one. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder)
}

const fromEnvironment = ({ variable }: Setting, environment: Readonly<Record<string, string | undefined>>) =>
  (variable !== undefined && environment[variable]) || undefined

const labelOf = ({ option, variable }: Setting, given: ReadonlyMap<string, string>) =>
  option !== undefined && (given.has(option) || variable === undefined) ? `--${option}` : String(variable)

function optionsIn(args: readonly string[]) {
  const known = Object.values(settings as Record<string, Setting>).flatMap(({ option }) => option ?? [])
  const options = Object.fromEntries(known.map((name) => [name, { type: 'string' as const }]))
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...options, help: { type: 'boolean' } },
    strict: false,
    tokens: true,
  })
  const given = new Map<string, string>()
  const problems: string[] = []
  let help = false
  for (const token of tokens) {
    if (token.kind === 'positional') problems.push(`${token.value}: not understood`)
    if (token.kind !== 'option') continue
    if (token.name === 'help') help = true
    else if (!known.includes(token.name)) problems.push(`${token.rawName}: no such option`)
    else if (!token.value) problems.push(`${token.rawName}: needs a value`)
    else given.set(token.name, token.value)
  }
  return { given, problems, help }
}

export function helpText(): string {
  const all = Object.values(settings as Record<string, Setting>)
  const preset = ({ preset }: Setting) => (preset ? ` (${String(preset)})` : '')
  const options = all
    .filter(({ option }) => option)
    .map((setting) => [`--${setting.option} ${setting.value}`, setting.says + preset(setting)])
  const variables = all
    .filter(({ variable }) => variable)
    .map((setting) => [String(setting.variable), setting.says + preset(setting)])
  const table = (rows: string[][]) =>
    rows.map(([name = '', says = '']) => `  ${name.padEnd(24)}${says}`).join('\n')
  return `Usage: npm start -- [options]

Options:
${table([...options, ['--help', 'print this']])}

Environment:
${table(variables)}
`
}
