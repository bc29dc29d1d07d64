import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { makePrivateFolder } from '../private-files.ts'
import { isLoopback } from '../parse-url.ts'
import { hasKeys } from './key-file.ts'
import { type Role, type Setting, settings, subgraphNames } from './settings.ts'

/** Reads the settings that `settings.ts` declares, from the command line and the environment. */

export type { Role }

type Settings = typeof settings
type Value<S extends Setting> = S extends { default: unknown }
  ? z.output<S['schema']>
  : z.output<S['schema']> | undefined

export type Config = { readonly [K in keyof Settings]: Value<Settings[K]> }

/**
 * Whether a feature for developers is on. `auto`: it is on outside production if only this machine can reach the
 * service.
 */
export const isOn = (
  name: 'introspection' | 'graphiql' | 'metrics',
  config: Pick<Config, 'environment' | 'host' | 'publicUrl' | 'linkUrl'> &
    Partial<Pick<Config, 'introspection' | 'graphiql' | 'metrics'>>,
): boolean =>
  config[name] === 'on' ||
  (config[name] === 'auto' && config.environment !== 'production' && !isReachableByOthers(config))

/** Whether other machines can reach the service, directly or through a proxy. */
const isReachableByOthers = ({
  host,
  publicUrl,
  linkUrl,
}: Pick<Config, 'host' | 'publicUrl' | 'linkUrl'>): boolean =>
  !isLoopback(host) ||
  [publicUrl, linkUrl].some((url) => url !== undefined && !isLoopback(new URL(url).hostname))

export type ConfigResult =
  { readonly help: true } | { readonly problems: readonly string[] } | { readonly config: Config }

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings and creates the data folder. If anything is wrong, returns all problems. */
export const readConfig = (args: readonly string[], environment: Environment): ConfigResult =>
  readSettings(args, environment, folderProblems)

/**
 * Reads the command line and the environment. If anything is wrong, returns all problems. `checkFolder` returns the
 * problems of the data folder.
 */
export function readSettings(
  args: readonly string[],
  environment: Environment,
  checkFolder: (folder: string) => readonly string[] = () => [],
): ConfigResult {
  const { optionValues, problems, help } = optionsIn(args)
  if (help) return { help: true }
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings) as [string, Setting][]) {
    const text =
      optionValues.get(setting.option ?? '') ?? fromEnvironment(setting, environment) ?? setting.default
    if (text === undefined) continue
    const result = setting.schema.safeParse(text)
    if (result.success) values[name] = result.data
    else problems.push(`${labelOf(setting, optionValues)}: ${result.error.issues[0]?.message}`)
  }
  const config = values as Config
  // With problems, `config` is incomplete and does not show whether the folder is used. Then the folder is checked too.
  const mayWrite = problems.length > 0 || writesToFolder(config)
  if (config.dataDir !== undefined && mayWrite) problems.push(...checkFolder(config.dataDir))
  if (problems.length === 0) problems.push(...conflicts(config))
  return problems.length > 0 ? { problems } : { config }
}

function conflicts(config: Config): string[] {
  const { role, redisUrl, mysqlUrl } = config
  const commonProblems = [...incompletePairs(config), ...timeoutConflicts(config)]
  if (role === 'all') return commonProblems
  return [
    ...commonProblems,
    ...(mysqlUrl ? [] : [`--role ${role} needs MYSQL_URL: the embedded database supports only one process`]),
    ...(redisUrl
      ? []
      : [`--role ${role} needs REDIS_URL: processes exchange jobs and notifications through Redis`]),
  ]
}

/** Returns a problem for each pair of settings of which only one is set. */
function incompletePairs(config: Config): string[] {
  const pairs = [
    ['SAMSARA_CLIENT_ID', config.samsaraClientId, 'SAMSARA_CLIENT_SECRET', config.samsaraClientSecret],
    ['MOTIVE_CLIENT_ID', config.motiveClientId, 'MOTIVE_CLIENT_SECRET', config.motiveClientSecret],
  ] as const
  return pairs.flatMap(([first, firstValue, second, secondValue]) =>
    (firstValue === undefined) === (secondValue === undefined)
      ? []
      : [firstValue === undefined ? `${second} needs ${first}` : `${first} needs ${second}`],
  )
}

/**
 * A gateway must wait longer for a subgraph than the subgraph waits for a provider. Otherwise the caller
 * never gets the result of the provider request.
 */
function timeoutConflicts({ role, subgraphUrls, liveTimeoutSeconds, subgraphTimeoutSeconds }: Config) {
  const isDistributed = role.startsWith('subgraph:') || subgraphNames.some((name) => subgraphUrls.has(name))
  if (!isDistributed || liveTimeoutSeconds < subgraphTimeoutSeconds) return []
  return [
    `LIVE_TIMEOUT_SECONDS (${liveTimeoutSeconds}) must be less than SUBGRAPH_TIMEOUT_SECONDS (${subgraphTimeoutSeconds}): the gateway must wait longer than a subgraph that calls a provider`,
  ]
}

/**
 * Whether the service stores anything in the data folder: the embedded database, the key file, the keys of the demo, or
 * the schemas of custom subgraphs.
 */
const writesToFolder = (config: Config): boolean =>
  !config.mysqlUrl ||
  !hasKeys(config) ||
  (servesCallers(config.role) &&
    (wantsDemo(config) || [...config.subgraphUrls.keys()].some(isCustomSubgraph)))

const isCustomSubgraph = (name: string): boolean => !(subgraphNames as readonly string[]).includes(name)

function folderProblems(folder: string): string[] {
  try {
    makePrivateFolder(resolve(folder))
    accessSync(folder, constants.W_OK)
    return []
  } catch (error) {
    return [`--data ${folder}: the folder cannot be written (${(error as NodeJS.ErrnoException).code})`]
  }
}

/** Returns the value of a setting's environment variable. An empty variable counts as not set. */
const fromEnvironment = ({ variable }: Setting, environment: Environment) =>
  (variable !== undefined && environment[variable]) || undefined

const labelOf = ({ option, variable }: Setting, optionValues: ReadonlyMap<string, string>) =>
  option !== undefined && (optionValues.has(option) || variable === undefined)
    ? `--${option}`
    : String(variable)

function optionsIn(args: readonly string[]) {
  const optionNames = Object.values(settings as Record<string, Setting>).flatMap(({ option }) => option ?? [])
  const options = Object.fromEntries(optionNames.map((name) => [name, { type: 'string' as const }]))
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...options, help: { type: 'boolean' } },
    strict: false,
    tokens: true,
  })
  const optionValues = new Map<string, string>()
  const problems: string[] = []
  let help = false
  for (const token of tokens) {
    if (token.kind === 'positional') problems.push(`${token.value}: unexpected argument`)
    if (token.kind !== 'option') continue
    if (token.name === 'help') help = true
    else if (!optionNames.includes(token.name)) problems.push(`${token.rawName}: no such option`)
    else if (!token.value) problems.push(`${token.rawName}: needs a value`)
    else optionValues.set(token.name, token.value)
  }
  return { optionValues, problems, help }
}

export function helpText(): string {
  const all = Object.values(settings as Record<string, Setting>)
  const defaultOf = ({ default: value }: Setting) => (value ? ` (${String(value)})` : '')
  const options = all
    .filter(({ option }) => option)
    .map((setting) => [`--${setting.option} ${setting.value}`, setting.description + defaultOf(setting)])
  const variables = all
    .filter(({ variable }) => variable)
    .map((setting) => [String(setting.variable), setting.description + defaultOf(setting)])
  const table = (rows: string[][]) =>
    rows.map(([name = '', description = '']) => `  ${name.padEnd(24)}${description}`).join('\n')
  return `Usage: npm start -- [options]

Options:
${table([...options, ['--help', 'print this']])}

Environment:
${table(variables)}
`
}

/** Whether the service provides a demo: with `demo` on, or by default without MySQL outside production. */
export const wantsDemo = ({
  role,
  demo,
  mysqlUrl,
  environment,
}: Pick<Config, 'role' | 'demo' | 'mysqlUrl' | 'environment'>): boolean =>
  servesCallers(role) && (demo === 'on' || (demo === 'auto' && !mysqlUrl && environment !== 'production'))

/** Whether a role serves the API to callers. */
export const servesCallers = (role: Role): boolean => role === 'all' || role === 'gateway'
