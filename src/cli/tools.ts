import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { secretBox, type SecretBox } from '../auth/secret-box.ts'
import { type Config, readSettings } from '../config.ts'
import { hasKeys, keyFileIn, masterKeysOf } from '../key-file.ts'
import { createLog } from '../log.ts'
import type { Registry } from '../providers/registry.ts'
import type { Doorbell } from '../queue/doorbell.ts'
import { Resources } from '../resources.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { migrationState } from '../storage/migration-state.ts'
import type { ConnectionWritesFrom } from '../subgraphs/connections/writes-from.ts'
import { type Clock, systemClock } from '../time.ts'
import { type Output, output } from './output.ts'
import { type Globals, Refused } from './refused.ts'

/** What a command works with. */
export interface Tools {
  readonly config: Config
  readonly output: Output
  readonly clock: Clock
  readonly db: Database
  secrets(): Promise<SecretBox>
  /** The providers, as the settings say. */
  registry(): Promise<Registry>
  /** Tells the service what was done here. */
  doorbell(): Promise<Doorbell>
  /** What the verbs of the service are given; the queue and the doorbell are opened with it. */
  writes(): Promise<ConnectionWritesFrom>
}

/** An action of a command that needs the database. */
export const withTools =
  <Options>(work: (tools: Tools, options: Options, ...args: string[]) => Promise<void>) =>
  async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command
    const options = command.optsWithGlobals<Options & Globals>()
    const config = configOf(options)
    const opened = new Resources()
    try {
      await work(await openTools(config, output(options.json === true), opened), options, ...command.args)
    } finally {
      await opened.close()
    }
  }

/** An action that needs the settings alone. */
export const withConfig =
  <Options>(work: (config: Config, output: Output, options: Options, ...args: string[]) => Promise<void>) =>
  async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command
    const options = command.optsWithGlobals<Options & Globals>()
    await work(configOf(options), output(options.json === true), options, ...command.args)
  }

function configOf({ data }: Globals): Config {
  const asked = readSettings(data === undefined ? [] : ['--data', data], process.env)
  if ('config' in asked) return asked.config
  throw new Refused('problems' in asked ? asked.problems.join('; ') : 'no settings', 2)
}

/** Where the embedded database is. */
export const databaseFileOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'odograph.db')

export async function openTools(config: Config, print: Output, opened: Resources): Promise<Tools> {
  const db = opened.add(await openExisting(config))
  await refuseOtherVersions(db)
  const secrets = once(async () => {
    if (!hasKeys(config))
      throw new Refused(
        `there is no ENCRYPTION_KEY and no ${keyFileIn(config.dataDir)}: give the key that the service runs with`,
      )
    return secretBox(masterKeysOf(config))
  })
  const providers = once(async () => {
    const { openProviders } = await import('../open-providers.ts')
    return openProviders(config, createLog(config.logLevel), opened)
  })
  const doorbell = once(async () => openDoorbell(config, opened))
  return {
    config,
    output: print,
    clock: systemClock,
    db,
    secrets,
    registry: providers,
    doorbell,
    writes: once(async () => {
      const open = { db, secrets: await secrets(), registry: await providers(), doorbell: await doorbell() }
      return openWrites(config, open, opened)
    }),
  }
}

/** A command never makes a database: a mistyped folder would look like an empty service. */
async function openExisting(config: Config): Promise<Database> {
  const path = databaseFileOf(config)
  if (!config.mysqlUrl && !existsSync(path))
    throw new Refused(
      `there is no database ${path}: name its folder with --data or its server in MYSQL_URL, or start the service once`,
    )
  return openDatabase({ mysqlUrl: config.mysqlUrl, sqlitePath: path, poolSize: 4 })
}

async function refuseOtherVersions(db: Database): Promise<void> {
  const { pending, newer } = await migrationState(db)
  if (newer.length > 0)
    throw new Refused(
      'the database is of a newer version than this program: use the program that the service runs',
    )
  if (pending.length > 0)
    throw new Refused(
      `the database lacks ${pending.length} migrations: run \`npm run migrate\`, or start the service of this version`,
    )
}

async function openWrites(
  config: Config,
  tools: Pick<ConnectionWritesFrom, 'db' | 'secrets' | 'registry' | 'doorbell'>,
  opened: Resources,
): Promise<ConnectionWritesFrom> {
  const { redisUrl, queuePrefix: prefix } = config
  const [{ bullmqQueue }, { inProcessQueue }] = await Promise.all([
    import('../queue/bullmq.ts'),
    import('../queue/in-process.ts'),
  ])
  return {
    ...tools,
    clock: systemClock,
    // Without Redis nothing takes what is queued here: the service finds what is due in the database.
    queue: opened.add(redisUrl ? bullmqQueue({ redisUrl, prefix, onError }) : inProcessQueue({ onError })),
  }
}

async function openDoorbell({ redisUrl, queuePrefix: prefix }: Config, opened: Resources): Promise<Doorbell> {
  const { inProcessDoorbell, redisDoorbell } = await import('../queue/doorbell.ts')
  return opened.add(redisUrl ? redisDoorbell({ redisUrl, prefix, onError }) : inProcessDoorbell())
}

/** Each caller is told by what it awaits. */
const onError = () => undefined

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
