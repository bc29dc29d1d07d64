import { join } from 'node:path'
import { secretBox } from './auth/secret-box.ts'
import type { Config } from './config.ts'
import { makesDemo } from './demo.ts'
import { makeKeyFile, masterKeysOf } from './key-file.ts'
import type { Logger } from './log.ts'
import { openProviders } from './open-providers.ts'
import { startSandbox } from './providers/sandbox/program.ts'
import { logUnknownWords } from './providers/unknown-words.ts'
import { bullmqQueue } from './queue/bullmq.ts'
import { inProcessDoorbell, redisDoorbell } from './queue/doorbell.ts'
import { inProcessQueue } from './queue/in-process.ts'
import { JobStalled, type OnQueueError, type Queue } from './queue/queue.ts'
import type { Resources } from './resources.ts'
import { type Database, openDatabase } from './storage/database.ts'
import { prepareDatabase } from './storage/prepare-database.ts'
import type { SyncTools } from './sync/run.ts'
import { systemClock } from './time.ts'
import { jobFailures } from './watched.ts'

/** Opens what every role works with. */
export async function openTools(config: Config, log: Logger, opened: Resources): Promise<SyncTools> {
  const { redisUrl, queuePrefix: prefix, retentionDays, eventRetentionDays } = config
  if (config.encryptionKey === undefined) makeKeyFile(config.dataDir)
  const secrets = secretBox(masterKeysOf(config))
  const db = opened.add(await openPrepared(config, log))
  const doorbell = opened.add(redisUrl ? redisDoorbell({ redisUrl, prefix }) : inProcessDoorbell())
  const queue = opened.add(queueOf(config, log))
  opened.add(logUnknownWords(log))
  const sandbox =
    config.sandboxUrl === undefined && makesDemo(config)
      ? opened.add(await startSandbox(sandboxOf(config)))
      : undefined
  return {
    db,
    queue,
    doorbell,
    registry: openProviders(config, log, opened, sandbox?.url),
    secrets,
    clock: systemClock,
    log,
    retentionDays,
    eventRetentionDays,
  }
}

async function openPrepared(config: Config, log: Logger): Promise<Database> {
  const { mysqlUrl, dataDir } = config
  const place = { mysqlUrl, sqlitePath: join(dataDir, 'odograph.db') }
  await prepareDatabase(place, config, log)
  return openDatabase({
    ...place,
    replicaUrls: config.mysqlReplicas,
    poolSize: config.mysqlPool,
    timeoutMs: config.queryTimeoutSeconds * 1000,
  })
}

function queueOf({ redisUrl, queuePrefix: prefix }: Config, log: Logger): Queue {
  const onError: OnQueueError = (job, jobId, err, final) => {
    log.error({ err, job, jobId, final }, 'a job failed')
    jobFailures.tell({ job, final, stalled: err instanceof JobStalled })
  }
  return redisUrl ? bullmqQueue({ redisUrl, prefix, onError }) : inProcessQueue({ onError })
}

/** From its sign-in, fleets come back to the link pages. */
const sandboxOf = ({ fleetSize, linkUrl, publicUrl }: Config) => ({
  fleetSize,
  redirectPrefix: linkUrl ?? publicUrl,
})
