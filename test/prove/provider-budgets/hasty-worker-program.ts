import { readConfig } from '../../../src/platform/config/config.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { createServices } from '../../../src/app/create-services.ts'
import { registry } from '../../../src/providers/registry.ts'
import { Disposer } from '../../../src/platform/lifecycle/disposer.ts'
import { startWorker } from '../../../src/sync/worker.ts'
import { budgetedNamed } from './providers.ts'

/** A worker whose requests wait for no rate limit. It runs until it is killed. */

const [provider = '', url = '', folder = ''] = process.argv.slice(2)
const requested = readConfig(['--data', folder, '--role', 'worker'], process.env)
if (!('config' in requested)) throw new Error('invalid settings')
const { config } = requested
const tools = await createServices(config, createLog('error'), new Disposer())
await startWorker(
  { ...tools, db: tools.db.inBackground(), registry: registry([budgetedNamed(provider).hasty(url)]) },
  { pollMs: config.pollSeconds * 1000, syncMs: config.syncMinutes * 60_000 },
)
process.on('disconnect', () => process.exit())
process.send?.('ready')
