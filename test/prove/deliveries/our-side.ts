import { cpuSeconds } from '../support/process-cpu.ts'
import type { Database } from '../../../src/storage/database.ts'
import { type Home, ServiceProcess } from '../support/service-process.ts'
import { LOOPBACK, makeEndpoint } from '../support/webhook-endpoints.ts'
import type { CountingReceiver } from './counting-receiver.ts'
import type { Side } from './deliveries.ts'
import type { FilledLog } from './filled-log.ts'

const SETTINGS = {
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  DEMO: 'off',
  LOG_LEVEL: 'error',
  WEBHOOK_ALLOW: LOOPBACK,
}

/** Creates endpoints at the start of the log, then starts a worker that delivers it. */
export async function ourSide(
  home: Home,
  db: Database,
  { applicationId }: FilledLog,
  receiver: CountingReceiver,
  { messages, endpoints, concurrency }: { messages: number; endpoints: number; concurrency: number },
): Promise<Side> {
  for (let at = 0; at < endpoints; at++)
    await makeEndpoint(db, applicationId, {
      url: receiver.url,
      concurrency: Math.ceil(concurrency / endpoints),
    })
  await db.transaction((tx) => tx.run('UPDATE `webhook_progress` SET `position` = 0'))
  receiver.begin()
  await using worker = await ServiceProcess.start(home, ['--role', 'worker'], SETTINGS)
  const counted = await receiver.receives(messages)
  const [cpu = 0] = cpuSeconds([worker.child.pid])
  if (worker.output().includes('"level"')) console.log(worker.output().slice(-1000))
  return { ...counted, cpuSeconds: cpu }
}
