import { createHash } from 'node:crypto'
import type { Id } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { nameFor } from '../../../src/subgraphs/events/event-types.ts'
import type { Random } from '../../fuzz/random.ts'
import { WebhookInbox, type Receipt } from '../../support/webhooks/webhook-inbox.ts'
import { makeEndpoint } from '../support/webhook-endpoints.ts'
import type { CheckResults } from './check-results.ts'

interface Entry {
  readonly id: string
  readonly applicationId: string
  readonly connectionId: string
  readonly type: string
  readonly position: number | null
}

/** Short retries: an endpoint that fails half of the time catches up within minutes. */
const RETRY_SECONDS = [1, 1, 2, 2, 3, 3, 5, 5, 8, 8, 13, 13, 21, 21, 30, 30, 60, 60, 60, 60]

/** A webhook receiver that no fault hits, and the events that it accepted. */
export class Receiver implements AsyncDisposable {
  /** Hash of each event's body. */
  private readonly taken = new Map<string, string>()
  private readonly changed: string[] = []
  private doubles = 0
  private refused = 0

  private constructor(
    readonly name: string,
    private readonly inbox: WebhookInbox,
    private readonly fails: () => boolean,
    /** Log position at which its endpoint starts. */
    private readonly after: number,
  ) {
    inbox.react = (receipt) => ({ status: this.statusOf(receipt) })
  }

  static async start(
    db: Database,
    applicationId: Id<'application'>,
    name: string,
    fails: () => boolean,
  ): Promise<Receiver> {
    const inbox = await WebhookInbox.start()
    const input = { url: inbox.url, retrySeconds: RETRY_SECONDS }
    const { endpointId, secret } = await makeEndpoint(db, applicationId, input)
    inbox.secrets.push(secret)
    const [row] = await db.rows<{ position: number }>(
      'SELECT `position` FROM `webhook_progress` WHERE `endpointId` = ?',
      [endpointId],
    )
    return new Receiver(name, inbox, fails, Number(row?.position))
  }

  /** Returns the events that must arrive and have not. */
  missing(log: readonly Entry[], applicationId: string, isGone: (connectionId: string) => boolean): Entry[] {
    return log.filter(
      (entry) =>
        entry.applicationId === applicationId &&
        Number(entry.position) > this.after &&
        nameFor(null, entry.type) !== null &&
        (entry.type.startsWith('connection.') || !isGone(entry.connectionId)) &&
        !this.taken.has(entry.id),
    )
  }

  judge(checkResults: CheckResults, missing: readonly Entry[]): void {
    checkResults.count(`events at the ${this.name}`, this.taken.size)
    checkResults.count(`doubles`, this.doubles)
    checkResults.count(`status 500`, this.refused)
    for (const { id, type, position } of missing)
      checkResults.holds(false, `the ${this.name} never got ${id} ${type}, position ${position}`)
    for (const id of this.changed)
      checkResults.holds(false, `the ${this.name} got ${id} again with another body`)
    for (const fault of this.inbox.forged)
      checkResults.holds(false, `the ${this.name} cannot verify ${fault}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.inbox[Symbol.asyncDispose]()
  }

  private statusOf({ id, body, event }: Receipt): number {
    this.inbox.received.length = 0
    const hash = createHash('sha1').update(body).digest('base64')
    const before = this.taken.get(id)
    if (before !== undefined && before !== hash) this.changed.push(id)
    if (event.id !== id) this.changed.push(`${id}, which is ${event.id},`)
    if (this.fails()) {
      this.refused++
      return 500
    }
    if (before !== undefined) this.doubles++
    this.taken.set(id, hash)
    return 204
  }
}

/** Starts one receiver that accepts every message, and one that fails half of the time. */
export async function startReceivers(
  db: Database,
  connectionId: string,
  random: Random,
): Promise<Receiver[]> {
  const [row] = await db.rows<{ applicationId: Id<'application'> }>(
    'SELECT `applicationId` FROM `connections` WHERE `id` = ?',
    [connectionId],
  )
  const applicationId = row?.applicationId as Id<'application'>
  return [
    await Receiver.start(db, applicationId, 'steady receiver', () => false),
    await Receiver.start(db, applicationId, 'shaky receiver', () => random.chance(0.5)),
  ]
}
