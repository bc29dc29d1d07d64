import { setTimeout as wait } from 'node:timers/promises'
import { followPages } from './followers/follow-pages.ts'
import { followSse } from './followers/follow-sse.ts'
import { followWebsocket } from './followers/follow-websocket.ts'
import type { Follow, ReaderOrders } from './followers/following.ts'
import { ReceiptFile } from './receipt-file.ts'
import { receiveWebhooks } from './receive-webhooks.ts'

/** A reader process. It may be killed at any time, and a message over its channel cuts its connection. */

const orders = JSON.parse(process.argv[2] ?? '') as ReaderOrders
const report = (problem: string) => process.send?.({ problem })
process.on('disconnect', () => process.exit(1))

const follows = { websocket: followWebsocket, sse: followSse, pull: followPages }

if (orders.way === 'webhook') await receiveWebhooks(orders, report)
else await readOn(follows[orders.way], new ReceiptFile(orders.notebooks['all'] ?? ''))

/** Reads from the last event of the notebook on, at any gateway. */
async function readOn(follow: Follow, receiptFile: ReceiptFile): Promise<never> {
  let connection = new AbortController()
  process.on('message', (order) => order === 'cut' && connection.abort())
  for (;;) {
    connection = new AbortController()
    const url = orders.urls[Math.floor(Math.random() * orders.urls.length)] ?? ''
    const after = receiptFile.lastId ?? orders.after
    await follow({ url, secretKey: orders.secretKey, after }, receiptFile, connection.signal).catch(
      (error: Error) => report(`${orders.way}: ${error.message}`),
    )
    connection.abort()
    await wait(20)
  }
}
