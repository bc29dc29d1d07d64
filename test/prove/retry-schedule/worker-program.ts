import { once } from 'node:events'
import { createLog } from '../../../src/platform/logging/log.ts'
import { createOutboundHttp } from '../../../src/platform/outbound-http/outbound-http.ts'
import { createInProcessNotifier } from '../../../src/queue/notifier.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { startDeliveryWorker } from '../../../src/webhooks/worker/delivery-worker.ts'
import { masterEncryption } from '../../support/factories.ts'

/** A delivery worker with the clock of the walk. It starts on a message, so that it can stand by. */

const [place = ''] = process.argv.slice(2)
const db = await openDatabase(JSON.parse(place) as Parameters<typeof openDatabase>[0])
await db.rows('SELECT 1')
const begun = once(process, 'message')
process.send?.('ready')
await begun
process.on('message', () => undefined)
process.on('disconnect', () => process.exit())
startDeliveryWorker({
  db: db.inBackground(),
  notifier: createInProcessNotifier(),
  outboundHttp: createOutboundHttp({
    allowPrivate: ['127.0.0.1'],
    requireHttps: false,
    permittedBy: 'WEBHOOK_ALLOW',
  }),
  secrets: masterEncryption,
  clock: systemClock,
  log: createLog('error'),
  linkUrl: () => 'http://127.0.0.1/link',
})
