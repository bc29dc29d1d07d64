import { createHmac } from 'node:crypto'
import type { MotiveSwitches } from '../behaviours.ts'
import type { Subscription } from './subscriptions.ts'

/** A webhook message that a test sends. */
export interface WebhookRequest {
  readonly action: string
  readonly data?: object
  /** Whether the signature uses a wrong secret. */
  readonly forged?: boolean
}

export interface DeliveryResult {
  readonly url: string
  readonly status: number | null
  /** 403 means a wrong signature and is final; other statuses except 200 and 201 cause a retry. */
  readonly outcome: 'accepted' | 'refused' | 'retry'
}

/** Delays of the retries. */
const retrySeconds = [10, 60, 300, 600, 3600, 3600, 3600, 86_400]

/** Returns the HMAC-SHA1 of the body in hex. */
export const signatureOf = (secret: string, body: string): string =>
  createHmac('sha1', secret).update(body).digest('hex')

export async function deliver(
  { url, secret }: Pick<Subscription, 'url' | 'secret'>,
  body: string,
): Promise<DeliveryResult> {
  const headers = { 'content-type': 'application/json', 'x-kt-webhook-signature': signatureOf(secret, body) }
  const status = await fetch(url, { method: 'POST', headers, body }).then(
    (response) => response.status,
    () => null,
  )
  return { url, status, outcome: outcomeOf(status) }
}

function outcomeOf(status: number | null): DeliveryResult['outcome'] {
  if (status === 200 || status === 201) return 'accepted'
  return status === 403 ? 'refused' : 'retry'
}

interface PendingRetry {
  readonly to: Pick<Subscription, 'url' | 'secret'>
  readonly body: string
  readonly failures: number
  readonly dueAt: number
}

/** Sends webhooks. Retries are due by the fake's clock. */
export class Deliveries {
  private retries: PendingRetry[] = []

  constructor(
    private readonly now: () => number,
    private readonly switches: MotiveSwitches,
  ) {}

  send(
    subscriptions: readonly Subscription[],
    { action, data = {}, forged }: WebhookRequest,
  ): Promise<DeliveryResult[]> {
    const content = this.switches.is('webhookBody', 'v1') ? data : { data }
    const body = JSON.stringify({ action, ...content })
    const subscribed = subscriptions.filter(({ enabled, actions }) => enabled && actions.includes(action))
    return Promise.all(
      subscribed.map(({ url, secret }) =>
        this.attempt({ to: { url, secret: forged ? 'somebody else' : secret }, body, failures: 0, dueAt: 0 }),
      ),
    )
  }

  /** Retries the deliveries that are due. */
  retry(): Promise<DeliveryResult[]> {
    const due = this.retries.filter(({ dueAt }) => dueAt <= this.now())
    this.retries = this.retries.filter(({ dueAt }) => dueAt > this.now())
    return Promise.all(due.map((one) => this.attempt(one)))
  }

  private async attempt({ to, body, failures }: PendingRetry): Promise<DeliveryResult> {
    const delivered = await deliver(to, body)
    const seconds = retrySeconds[failures]
    if (delivered.outcome === 'retry' && seconds !== undefined)
      this.retries.push({ to, body, failures: failures + 1, dueAt: this.now() + seconds * 1000 })
    return delivered
  }
}
