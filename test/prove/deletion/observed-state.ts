import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../../src/storage/database.ts'
import type { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'

const PATIENCE_MS = 240_000
const LOOK_MS = 100

/** Waits until a condition holds; the real clock runs. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const begun = performance.now()
  while (!(await holds())) {
    if (performance.now() - begun > PATIENCE_MS)
      throw new Error(`not within ${PATIENCE_MS / 1000} s: ${what}`)
    await wait(LOOK_MS)
  }
}

/** State of a connection in the database and in the webhooks of a receiver. */
export class ObservedState {
  constructor(
    private readonly db: Database,
    private readonly inbox: WebhookInbox,
    readonly connectionId: string,
  ) {}

  async status(): Promise<string> {
    const sql = 'SELECT `status` FROM `connections` WHERE `id` = ?'
    const [row] = await this.db.rows<{ status: string }>(sql, [this.connectionId])
    return String(row?.status)
  }

  async refuseUnless(status: string): Promise<void> {
    const found = await this.status()
    if (found !== status) throw new Error(`the status is ${found}, not ${status}`)
  }

  async count(table: string, condition = '1 = 1'): Promise<number> {
    const [row] = await this.db.rows<{ n: number }>(
      `SELECT COUNT(*) AS n FROM \`${table}\` WHERE \`connectionId\` = ? AND ${condition}`,
      [this.connectionId],
    )
    return Number(row?.n)
  }

  synced = (times: number): Promise<void> =>
    until(`${times} syncs end`, async () => (await this.count('syncs', "`status` = 'completed'")) >= times)

  reported = (type: string): Promise<void> =>
    until(`${type} arrives`, async () => this.webhookTypes().includes(type))

  /** Returns the types of the connection's webhooks in order of arrival. */
  webhookTypes = (): string[] =>
    this.inbox.received.filter(({ body }) => body.includes(this.connectionId)).map(({ event }) => event.type)
}
