import { once } from 'node:events'
import { createLog } from '../../../src/log.ts'
import { outgoing } from '../../../src/outgoing/outgoing.ts'
import { inProcessDoorbell } from '../../../src/queue/doorbell.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { systemClock } from '../../../src/time.ts'
import { startCourier } from '../../../src/webhooks/courier/courier.ts'
import { masterBox } from '../../factories.ts'

/** A worker that delivers by the clock it is given. It begins when it is told to, so that it can stand by. */

const [place = ''] = process.argv.slice(2)
const db = await openDatabase(JSON.parse(place) as Parameters<typeof openDatabase>[0])
await db.rows('SELECT 1')
const begun = once(process, 'message')
process.send?.('ready')
await begun
process.on('message', () => undefined)
process.on('disconnect', () => process.exit())
startCourier({
  db: db.inBackground(),
  doorbell: inProcessDoorbell(),
  outgoing: outgoing({ allowPrivate: ['127.0.0.1'], requireHttps: false, permittedBy: 'WEBHOOK_ALLOW' }),
  secrets: masterBox,
  clock: systemClock,
  log: createLog('error'),
  linkUrl: () => 'http://127.0.0.1/link',
})
