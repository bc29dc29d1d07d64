import { once } from 'node:events'
import { secretBox } from '../../src/auth/secret-box.ts'
import { createLog } from '../../src/log.ts'
import { outgoing } from '../../src/outgoing/outgoing.ts'
import { inProcessDoorbell } from '../../src/queue/doorbell.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { systemClock } from '../../src/time.ts'
import { startCourier } from '../../src/webhooks/courier.ts'

/**
 * A worker that delivers, for a clock that runs ahead: the database is waited for so much longer. It begins when it is
 * told to, so that it can stand by, and is there at once when the one before it is killed.
 */

const [sqlitePath = '', keyHex = ''] = process.argv.slice(2)
const PATIENCE_MS = 10_000_000

const db = await openDatabase({ sqlitePath, timeoutMs: PATIENCE_MS })
await db.rows('SELECT 1')
const begun = once(process, 'message')
process.send?.('ready')
await begun
process.on('message', () => undefined)
process.on('disconnect', () => process.exit())
startCourier({
  db: db.inBackground(),
  doorbell: inProcessDoorbell(),
  outgoing: outgoing({ allowPrivate: ['127.0.0.1'], requireHttps: false }),
  secrets: secretBox(Buffer.from(keyHex, 'hex')),
  clock: systemClock,
  log: createLog('error'),
  linkUrl: () => 'http://127.0.0.1/link',
})
