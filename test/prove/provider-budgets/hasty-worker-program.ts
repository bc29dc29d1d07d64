import { readConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/log.ts'
import { openTools } from '../../../src/open-tools.ts'
import { registry } from '../../../src/providers/registry.ts'
import { Resources } from '../../../src/resources.ts'
import { startWorker } from '../../../src/sync/worker.ts'
import { budgetedNamed } from './providers.ts'

/** A worker like any other whose requests wait for no turn. It goes on until it is killed. */

const [provider = '', url = '', folder = ''] = process.argv.slice(2)
const asked = readConfig(['--data', folder, '--role', 'worker'], process.env)
if (!('config' in asked)) throw new Error('the settings are not understood')
const { config } = asked
const tools = await openTools(config, createLog('error'), new Resources())
await startWorker(
  { ...tools, db: tools.db.inBackground(), registry: registry([budgetedNamed(provider).hasty(url)]) },
  { pollMs: config.pollSeconds * 1000, syncMs: config.syncMinutes * 60_000 },
)
process.on('disconnect', () => process.exit())
process.send?.('ready')
