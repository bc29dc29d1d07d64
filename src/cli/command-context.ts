import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { createEncryption, type EnvelopeEncryption } from '../auth/envelope-encryption.ts'
import { type Config, readSettings } from '../platform/config/config.ts'
import { hasKeys, keyFilePath, loadMasterKeys } from '../platform/config/key-file.ts'
import { createLog } from '../platform/logging/log.ts'
import type { Registry } from '../providers/registry.ts'
import type { Notifier } from '../queue/notifier.ts'
import { Disposer } from '../platform/lifecycle/disposer.ts'
import type { Database } from '../storage/database.ts'
import { openDatabase } from '../storage/open-database.ts'
import { migrationState } from '../storage/migration-state.ts'
import type { ConnectionCommandDeps } from '../subgraphs/connections/command-deps.ts'
import { type Clock, systemClock } from '../domain/time.ts'
import { type Output, output } from './output.ts'
import { type Globals, CliError } from './cli-error.ts'

/** Everything that a command can use. */
export interface CommandContext {
  readonly config: Config
  readonly output: Output
  readonly clock: Clock
  readonly db: Database
  /** Encrypts and decrypts stored secrets. Rejects if there is no encryption key. */
  secrets(): Promise<EnvelopeEncryption>
  /** The providers that the settings enable. */
  registry(): Promise<Registry>
  /** Notifies the running service of changes. */
  notifier(): Promise<Notifier>
  /**
   * Dependencies of the functions that change connections, such as `archiveConnection`. The first call opens the queue
   * and the notifier.
   */
  writes(): Promise<ConnectionCommandDeps>
}

/**
 * Returns the action of a command that needs the database. It opens the context, runs `work`, and closes everything.
 */
export const withCommandContext =
  <Options>(work: (context: CommandContext, options: Options, ...args: string[]) => Promise<void>) =>
  async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command
    const options = command.optsWithGlobals<Options & Globals>()
    const config = configOf(options)
    const disposer = new Disposer()
    try {
      await work(
        await openCommandContext(config, output(options.json === true), disposer),
        options,
        ...command.args,
      )
    } finally {
      await disposer.close()
    }
  }

/** Returns the action of a command that needs only the settings. */
export const withConfig =
  <Options>(work: (config: Config, output: Output, options: Options, ...args: string[]) => Promise<void>) =>
  async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command
    const options = command.optsWithGlobals<Options & Globals>()
    await work(configOf(options), output(options.json === true), options, ...command.args)
  }

function configOf({ data }: Globals): Config {
  const result = readSettings(data === undefined ? [] : ['--data', data], process.env)
  if ('config' in result) return result.config
  throw new CliError('problems' in result ? result.problems.join('; ') : 'no settings', 2)
}

/** Path of the embedded database. */
export const databaseFileOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'odograph.db')

export async function openCommandContext(
  config: Config,
  print: Output,
  disposer: Disposer,
): Promise<CommandContext> {
  const db = disposer.add(await openExisting(config))
  await refuseOtherVersions(db)
  const secrets = once(async () => {
    if (!hasKeys(config))
      throw new CliError(
        `there is no ENCRYPTION_KEY and no ${keyFilePath(config.dataDir)}: give the key that the service runs with`,
      )
    return createEncryption(loadMasterKeys(config))
  })
  const providers = once(async () => {
    const { createProviders } = await import('../app/create-providers.ts')
    return createProviders(config, createLog(config.logLevel), disposer)
  })
  const notifier = once(async () => openNotifier(config, disposer))
  return {
    config,
    output: print,
    clock: systemClock,
    db,
    secrets,
    registry: providers,
    notifier,
    writes: once(async () => {
      const open = { db, secrets: await secrets(), registry: await providers(), notifier: await notifier() }
      return openWrites(config, open, disposer)
    }),
  }
}

/** Opens the database. It never creates one, because a mistyped folder would then look like an empty service. */
async function openExisting(config: Config): Promise<Database> {
  const path = databaseFileOf(config)
  if (!config.mysqlUrl && !existsSync(path))
    throw new CliError(
      `there is no database ${path}: name its folder with --data or its server in MYSQL_URL, or start the service once`,
    )
  return openDatabase({ mysqlUrl: config.mysqlUrl, sqlitePath: path, poolSize: 4 })
}

async function refuseOtherVersions(db: Database): Promise<void> {
  const { pending, newer } = await migrationState(db)
  if (newer.length > 0)
    throw new CliError(
      'a newer version of the program has migrated the database: use the version that the service runs',
    )
  if (pending.length > 0)
    throw new CliError(
      `the database lacks ${pending.length} migrations: run \`npm run migrate\`, or start the service of this version`,
    )
}

async function openWrites(
  config: Config,
  tools: Pick<ConnectionCommandDeps, 'db' | 'secrets' | 'registry' | 'notifier'>,
  disposer: Disposer,
): Promise<ConnectionCommandDeps> {
  const { redisUrl, queuePrefix: prefix } = config
  const [{ bullmqQueue }, { inProcessQueue }, { Renewals }, { renewalTiming }] = await Promise.all([
    import('../queue/bullmq/bullmq-queue.ts'),
    import('../queue/in-process-queue.ts'),
    import('../subgraphs/connections/credentials/renewals.ts'),
    import('../subgraphs/connections/credentials/renewal-timing.ts'),
  ])
  return {
    ...tools,
    clock: systemClock,
    renewals: disposer.add(
      new Renewals(createLog(config.logLevel), renewalTiming(config.queryTimeoutSeconds * 1000)),
    ),
    // Without Redis, the queue is in the memory of this process, where no worker runs. The service finds the work in
    // the database instead.
    queue: disposer.add(redisUrl ? bullmqQueue({ redisUrl, prefix, onError }) : inProcessQueue({ onError })),
  }
}

async function openNotifier(
  { redisUrl, queuePrefix: prefix }: Config,
  disposer: Disposer,
): Promise<Notifier> {
  const { createInProcessNotifier, createRedisNotifier } = await import('../queue/notifier.ts')
  return disposer.add(
    redisUrl ? createRedisNotifier({ redisUrl, prefix, onError }) : createInProcessNotifier(),
  )
}

/** Ignores background errors of the queue and the notifier: a command gets its errors from the calls that it awaits. */
const onError = () => undefined

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
