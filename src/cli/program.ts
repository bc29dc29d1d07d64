import { Command, CommanderError } from 'commander'
import { type Globals, toCliError } from './cli-error.ts'

/** The commands of one noun; each noun is a module that is loaded when it is asked for. */
export interface CommandGroup {
  addTo(group: Command): void
}

/** By the first word of a command. */
export const commandGroups: Readonly<
  Record<string, { readonly summary: string; readonly load: () => Promise<CommandGroup> }>
> = {
  applications: {
    summary: 'integrators, the tenants of the service',
    load: async () => (await import('./commands/applications.ts')).applications,
  },
  keys: { summary: 'their keys', load: async () => (await import('./commands/keys.ts')).keys },
  links: {
    summary: 'where fleets link their accounts',
    load: async () => (await import('./commands/links.ts')).links,
  },
  webhooks: {
    summary: 'where events are sent to',
    load: async () => (await import('./commands/webhooks.ts')).webhooks,
  },
  sessions: {
    summary: 'what browsers may read for a while',
    load: async () => (await import('./commands/sessions.ts')).sessions,
  },
  connections: {
    summary: "fleets' links to their providers",
    load: async () => (await import('./commands/connections.ts')).connections,
  },
  syncs: {
    summary: 'runs of reading a provider',
    load: async () => (await import('./commands/syncs.ts')).syncs,
  },
  jobs: {
    summary: 'the work that waits in Redis',
    load: async () => (await import('./commands/jobs.ts')).jobs,
  },
  events: { summary: 'the event log', load: async () => (await import('./commands/events.ts')).events },
  audit: {
    summary: 'who did what',
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  'encryption-key': {
    summary: 'the keys of the secrets at rest',
    load: async () => (await import('./commands/encryption-key.ts')).encryptionKey,
  },
  backup: {
    summary: 'copy the embedded database while the service runs',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  restore: {
    summary: 'put such a copy in its place',
    load: async () => (await import('./commands/restore.ts')).restore,
  },
  doctor: {
    summary: 'check what the service needs, and say what to do',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
}

/** Runs one command; gives its exit code: 0, 1 where it failed, 2 where it was asked wrongly. */
export async function run(args: readonly string[]): Promise<number> {
  const program = await programFor(args)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 || wantsHelp(error) ? 0 : 2
    const { message, exitCode } = toCliError(error)
    if (program.opts<Globals>().json) process.stdout.write(`${JSON.stringify({ error: message })}\n`)
    process.stderr.write(`odograph: ${message}\n`)
    return exitCode
  }
}

const wantsHelp = ({ code }: CommanderError) => code === 'commander.help'

/** The program with the commands of the noun that is asked for; of the others it knows what they are about. */
async function programFor(args: readonly string[]): Promise<Command> {
  const program = new Command('odograph')
    .description("The operator's commands. They read the same settings as the service.")
    .option('--data <dir>', 'folder of the embedded database and the key file')
    .option('--json', 'print JSON for programs')
    .addHelpText('after', HELP)
    .showHelpAfterError('(--help tells more)')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
  const asked = args.find((arg) => Object.hasOwn(commandGroups, arg))
  for (const [name, { summary, load }] of Object.entries(commandGroups)) {
    const group = program.command(name).description(summary).copyInheritedSettings(program)
    if (name === asked) (await load()).addTo(group)
  }
  return program
}

const HELP = `
Example:
  $ odograph doctor
  $ odograph keys create --application app_01M7XZ3JF90H8EC8HYVB2R0P6F

Exit codes: 0 done, 1 failed or refused, 2 asked wrongly.`
