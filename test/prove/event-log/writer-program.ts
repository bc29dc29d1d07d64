import { appendFileSync } from 'node:fs'
import { createRedisNotifier } from '../../../src/queue/notifier.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { OUTBOX_TOPIC } from '../../../src/storage/outbox.ts'
import { write, type Writer } from './writing.ts'

/** Some writers in a separate process. Its channel receives the number of events that they may write. */

export interface WriterOrders {
  readonly writers: readonly Writer[]
  readonly mysqlUrl: string | null
  readonly sqlitePath: string
  readonly redis: { readonly redisUrl: string; readonly prefix: string } | null
  /** File with a line `writer first count` for each committed transaction. */
  readonly journal: string
}

const orders = JSON.parse(process.argv[2] ?? '') as WriterOrders
const db = await openDatabase({
  ...(orders.mysqlUrl === null ? {} : { mysqlUrl: orders.mysqlUrl }),
  sqlitePath: orders.sqlitePath,
  poolSize: 2,
})
const notifier = orders.redis && createRedisNotifier(orders.redis)
let [allowed, written] = [0, 0]
const waiting: (() => void)[] = []
process.on('message', ({ allow }: { allow: number }) => {
  allowed = allow
  if (written >= allowed) return
  for (const go of waiting.splice(0)) go()
})
const isLeft = () => process.exit(1)
process.on('disconnect', isLeft)

await Promise.all(
  orders.writers.map((writer) =>
    write(writer, {
      db: db.inBackground(),
      ring: () => notifier?.notify(OUTBOX_TOPIC),
      mayWrite: () => (written < allowed ? Promise.resolve() : new Promise<void>((go) => waiting.push(go))),
      committed(first, events) {
        appendFileSync(orders.journal, `${writer.number} ${first} ${events}\n`)
        written += events
        process.send?.({ written: events })
      },
    }),
  ),
)
await notifier?.close()
await db.close()
process.off('disconnect', isLeft)
process.disconnect()
