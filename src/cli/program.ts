import { Command, CommanderError } from 'commander'
import { type Globals, refusalOf } from './refused.ts'

/** The commands of one noun; each noun is a module that is loaded when it is asked for. */
export interface Noun {
  addTo(noun: Command): void
}

/** By the first word of a command. */
export const nouns: Readonly<Record<string, { readonly says: string; readonly load: () => Promise<Noun> }>> =
  {
    applications: {
      says: 'integrators, the tenants of the service',
      load: async () => (await import('./nouns/applications.ts')).applications,
    },
    keys: { says: 'their keys', load: async () => (await import('./nouns/keys.ts')).keys },
    links: {
      says: 'where fleets link their accounts',
      load: async () => (await import('./nouns/links.ts')).links,
    },
    webhooks: {
      says: 'where events are sent to',
      load: async () => (await import('./nouns/webhooks.ts')).webhooks,
    },
    sessions: {
      says: 'what browsers may read for a while',
      load: async () => (await import('./nouns/sessions.ts')).sessions,
    },
    connections: {
      says: "fleets' links to their providers",
      load: async () => (await import('./nouns/connections.ts')).connections,
    },
    syncs: { says: 'runs of reading a provider', load: async () => (await import('./nouns/syncs.ts')).syncs },
    jobs: { says: 'the work that waits in Redis', load: async () => (await import('./nouns/jobs.ts')).jobs },
    events: { says: 'the event log', load: async () => (await import('./nouns/events.ts')).events },
    audit: {
      says: 'who did what',
      load: async () => (await import('./nouns/audit.ts')).audit,
    },
    'encryption-key': {
      says: 'the keys of the secrets at rest',
      load: async () => (await import('./nouns/encryption-key.ts')).encryptionKey,
    },
    backup: {
      says: 'copy the embedded database while the service runs',
      load: async () => (await import('./nouns/backup.ts')).backup,
    },
    restore: {
      says: 'put such a copy in its place',
      load: async () => (await import('./nouns/restore.ts')).restore,
    },
    doctor: {
      says: 'check what the service needs, and say what to do',
      load: async () => (await import('./nouns/doctor.ts')).doctor,
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
    const { message, exitCode } = refusalOf(error)
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
  const asked = args.find((arg) => Object.hasOwn(nouns, arg))
  for (const [name, { says, load }] of Object.entries(nouns)) {
    const noun = program.command(name).description(says).copyInheritedSettings(program)
    if (name === asked) (await load()).addTo(noun)
  }
  return program
}

const HELP = `
Example:
  $ odograph doctor
  $ odograph keys create --application app_01M7XZ3JF90H8EC8HYVB2R0P6F

Exit codes: 0 done, 1 failed or refused, 2 asked wrongly.`
