import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'
import { PERMITTED } from './kinds.ts'
import type { Api } from './webhooks-api.ts'

/** Settings of the healthy endpoints. */
const wishes = [
  { description: 'as it comes' },
  { description: 'in the order of records', ordering: 'RESOURCE' },
  { description: 'one at a time', concurrency: 1 },
  { description: 'many at once', concurrency: 50 },
] as const

/** A receiver that accepts every message, and its distinct events. */
export class Healthy implements AsyncDisposable {
  readonly taken = new Set<string>()
  messages = 0

  private constructor(
    readonly description: string,
    private readonly inbox: WebhookInbox,
  ) {
    inbox.react = ({ id, event }) => {
      inbox.received.length = 0
      this.messages++
      this.taken.add(id)
      if (event.id !== id) inbox.forged.push(`${event.id} came as message ${id}`)
      return { status: 204 }
    }
  }

  static startAll = (api: Api): Promise<Healthy[]> =>
    Promise.all(
      wishes.map(async (input) => {
        const inbox = await WebhookInbox.start({ host: PERMITTED })
        const { secret } = await api.create({ ...input, url: inbox.url })
        inbox.secrets.push(secret)
        return new Healthy(input.description, inbox)
      }),
    )

  /** Returns missing, extra and unverified events, compared with the log. */
  judge(log: readonly string[]): string[] {
    const known = new Set(log)
    const missing = log.filter((id) => !this.taken.has(id))
    const spare = [...this.taken].filter((id) => !known.has(id))
    const who = `the healthy endpoint (${this.description})`
    return [
      ...missing.slice(0, 5).map((id) => `${who} never got ${id}`),
      ...spare.slice(0, 5).map((id) => `${who} got ${id}, which is not in the log`),
      ...this.inbox.forged.slice(0, 5).map((fault) => `${who} cannot verify ${fault}`),
    ]
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.inbox[Symbol.asyncDispose]()
  }
}
