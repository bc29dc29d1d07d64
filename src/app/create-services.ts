import { join } from 'node:path'
import { createEncryption } from '../auth/envelope-encryption.ts'
import { type Config, wantsDemo } from '../platform/config/config.ts'
import { makeKeyFile, loadMasterKeys } from '../platform/config/key-file.ts'
import type { Logger } from '../platform/logging/log.ts'
import { createProviders } from './create-providers.ts'
import { startSimulatorProcess } from '../providers/sandbox/simulator-process.ts'
import { logUnknownEnumValues } from '../providers/mapping/unknown-enum-values.ts'
import { requireRedisDatabase } from '../platform/redis/redis-connection.ts'
import { bullmqQueue } from '../queue/bullmq/bullmq-queue.ts'
import { createInProcessNotifier, createRedisNotifier } from '../queue/notifier.ts'
import { inProcessQueue } from '../queue/in-process-queue.ts'
import { JobStalled, type OnQueueError, type Queue } from '../queue/queue.ts'
import type { Disposer } from '../platform/lifecycle/disposer.ts'
import type { Database } from '../storage/database.ts'
import { type DataFolderLock, lockDataFolder } from '../storage/sqlite/data-folder-lock.ts'
import { openDatabase } from '../storage/open-database.ts'
import { bootstrapDatabase } from '../storage/bootstrap.ts'
import { renewalTiming } from '../subgraphs/connections/credentials/renewal-timing.ts'
import { Renewals } from '../subgraphs/connections/credentials/renewals.ts'
import type { WorkerDeps } from '../sync/sync-context.ts'
import { systemClock } from '../domain/time.ts'
import { jobFailures } from '../platform/instrumentation.ts'

interface Services extends WorkerDeps {
  /** Lock of the data folder. Null if the database is on a server. */
  readonly folderLock: DataFolderLock | null
}

/** Opens the services that every role needs. Starts the simulator of a provider if the demo needs it. */
export async function createServices(config: Config, log: Logger, disposer: Disposer): Promise<Services> {
  const { redisUrl, queuePrefix: prefix, retentionDays, eventRetentionDays, requestLogDays } = config
  const folderLock = config.mysqlUrl ? null : disposer.add(await lockDataFolder(config.dataDir))
  if (config.encryptionKey === undefined) makeKeyFile(config.dataDir)
  const secrets = createEncryption(loadMasterKeys(config))
  if (redisUrl !== undefined) await requireRedisDatabase(redisUrl)
  const db = disposer.add(await openPreparedDatabase(config, log))
  // The disposer closes in reverse order: the renewals after everything that renews credentials, and before the
  // database that stores them.
  const renewals = disposer.add(new Renewals(log, renewalTiming(config.queryTimeoutSeconds * 1000)))
  const notifier = disposer.add(
    redisUrl ? createRedisNotifier({ redisUrl, prefix }) : createInProcessNotifier(),
  )
  const queue = disposer.add(createQueue(config, log))
  disposer.add(logUnknownEnumValues(log))
  const sandbox =
    config.sandboxUrl === undefined && wantsDemo(config)
      ? disposer.add(await startSimulatorProcess(simulatorOptions(config)))
      : undefined
  return {
    folderLock,
    db,
    queue,
    notifier,
    registry: createProviders(config, log, disposer, sandbox?.url),
    secrets,
    clock: systemClock,
    renewals,
    log,
    retentionDays,
    eventRetentionDays,
    removalHold: { percent: config.removalHoldPercent, minutes: config.removalHoldMinutes },
    requestLogDays,
    purchaseRetentionDays: config.purchaseRetentionDays,
  }
}

async function openPreparedDatabase(config: Config, log: Logger): Promise<Database> {
  const { mysqlUrl, dataDir } = config
  const location = { mysqlUrl, sqlitePath: join(dataDir, 'odograph.db') }
  await bootstrapDatabase(location, config, log)
  return openDatabase({
    ...location,
    replicaUrls: config.mysqlReplicas,
    poolSize: config.mysqlPool,
    timeoutMs: config.queryTimeoutSeconds * 1000,
    log,
  })
}

function createQueue({ redisUrl, queuePrefix: prefix }: Config, log: Logger): Queue {
  const onError: OnQueueError = (job, jobId, err, final) => {
    log.error({ err, job, jobId, final }, 'job failed')
    jobFailures.emit({ job, final, stalled: err instanceof JobStalled })
  }
  return redisUrl ? bullmqQueue({ redisUrl, prefix, onError }) : inProcessQueue({ onError })
}

/** Options of the simulator. Its sign-in page redirects only to the link pages. */
const simulatorOptions = ({ fleetSize, linkUrl, publicUrl }: Config) => ({
  fleetSize,
  redirectPrefix: linkUrl ?? publicUrl,
})
