import { Command, CommanderError, Help } from 'commander'
import { version } from '../platform/version.ts'
import { APPLICATION_OPTION } from './application-command.ts'
import { type Globals, toCliError } from './cli-error.ts'
import { escapeControls, toJson } from './output.ts'

/** The commands that share a first word, such as `keys`. */
export interface CommandGroup {
  addTo(group: Command): void
}

/**
 * Command groups by the first word of a command. A group's module is loaded only for its own commands and their help.
 */
export const commandGroups: Readonly<
  Record<string, { readonly summary: string; readonly load: () => Promise<CommandGroup> }>
> = {
  applications: {
    summary: 'integrators, the tenants of the service',
    load: async () => (await import('./commands/applications.ts')).applications,
  },
  keys: { summary: 'API keys of applications', load: async () => (await import('./commands/keys.ts')).keys },
  links: {
    summary: 'addresses at which fleets link their accounts',
    load: async () => (await import('./commands/links.ts')).links,
  },
  operations: {
    summary: 'GraphQL documents that applications have published',
    load: async () => (await import('./commands/operations.ts')).operationCommands,
  },
  purchases: {
    summary: 'fuel cards, sites, policies and sums of checks of fuel purchases',
    load: async () => (await import('./commands/purchases.ts')).purchaseCommandGroup,
  },
  ifta: {
    summary: 'fuel tax reports of quarters',
    load: async () => (await import('./commands/ifta.ts')).iftaCommandGroup,
  },
  vehicles: {
    summary: 'facts of your own about vehicles',
    load: async () => (await import('./commands/vehicles.ts')).vehicleCommandGroup,
  },
  sandbox: {
    summary: 'simulated fleets: the fuel that they buy',
    load: async () => (await import('./commands/sandbox.ts')).sandboxCommandGroup,
  },
  webhooks: {
    summary: 'webhook endpoints and their deliveries',
    load: async () => (await import('./commands/webhooks.ts')).webhooks,
  },
  dashboard: {
    summary: 'links with which people sign in to the dashboard',
    load: async () => (await import('./commands/dashboard.ts')).dashboard,
  },
  sessions: {
    summary: 'sessions: short-lived access for browsers',
    load: async () => (await import('./commands/sessions.ts')).sessions,
  },
  connections: {
    summary: "fleets' links to their providers",
    load: async () => (await import('./commands/connections.ts')).connections,
  },
  syncs: {
    summary: 'runs that read the data of a connection',
    load: async () => (await import('./commands/syncs.ts')).syncs,
  },
  jobs: {
    summary: 'jobs of the queue in Redis',
    load: async () => (await import('./commands/jobs.ts')).jobs,
  },
  events: { summary: 'the event log', load: async () => (await import('./commands/events.ts')).events },
  audit: {
    summary: 'the audit log: who did what',
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  requests: {
    summary: 'the request log: what callers requested, and how it was answered',
    load: async () => (await import('./commands/requests.ts')).requestCommands,
  },
  'encryption-key': {
    summary: 'keys that encrypt stored secrets',
    load: async () => (await import('./commands/encryption-key.ts')).encryptionKey,
  },
  backup: {
    summary: 'copy the embedded database while the service runs',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  restore: {
    summary: 'replace the embedded database with a backup',
    load: async () => (await import('./commands/restore.ts')).restore,
  },
  doctor: {
    summary: 'check everything that the service needs, and suggest repairs',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
}

/** Runs one command. Returns its exit code: 0, 1 if it failed, 2 if the usage is wrong. */
export async function run(args: readonly string[]): Promise<number> {
  const program = await programFor(args)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 || wantsHelp(error) ? 0 : 2
    const { message, exitCode } = toCliError(error)
    if (program.opts<Globals>().json) process.stdout.write(`${toJson({ error: message })}\n`)
    process.stderr.write(`odograph: ${escapeControls(message)}\n`)
    return exitCode
  }
}

const wantsHelp = ({ code }: CommanderError) => code === 'commander.help'

const help = new Help()

const optionDescription: Help['optionDescription'] = (option) =>
  `${help.optionDescription(option)}${option.mandatory ? ' (required)' : ''}`

/** Prints an error about the usage. If the application is missing, it names the command that lists the ids. */
function outputError(text: string, write: (text: string) => void): void {
  const error = text.trimEnd().split('\n').map(escapeControls).join('\n')
  const isMissing = error.includes(`'${APPLICATION_OPTION}' not specified`)
  write(`${error}${isMissing ? ': `odograph applications list` shows the ids' : ''}\n`)
}

/** Builds the program with the commands of the requested group, and with the summaries of all groups. */
async function programFor(args: readonly string[]): Promise<Command> {
  const program = new Command('odograph')
    .description("The operator's commands. They read the same settings as the service.")
    .version(version, '--version', 'print the version')
    .option('--data <dir>', 'folder of the embedded database and the key file')
    .option('--json', 'print JSON for programs')
    .addHelpText('after', HELP)
    .showHelpAfterError('(see --help)')
    .configureHelp({ showGlobalOptions: true, optionDescription })
    .configureOutput({ outputError })
    .exitOverride()
  const requested = args.find((arg) => Object.hasOwn(commandGroups, arg))
  for (const [name, { summary, load }] of Object.entries(commandGroups)) {
    const group = program.command(name).description(summary).copyInheritedSettings(program)
    if (name === requested) (await load()).addTo(group)
  }
  return program
}

const HELP = `
Example:
  $ odograph doctor
  $ odograph keys create --application app_01M7XZ3JF90H8EC8HYVB2R0P6F

Exit codes: 0 done, 1 failed or refused, 2 wrong usage.`
