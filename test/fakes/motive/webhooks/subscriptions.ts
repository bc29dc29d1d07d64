import { randomBytes } from 'node:crypto'
import { ok, type Answer, type Call } from '../../kit/http.ts'
import type { FakeRequest } from '../fake-request.ts'
import { pageOf } from '../pages.ts'
import { badRequest, Refusal } from '../refusal.ts'
import { deliver, type DeliveryResult } from './deliveries.ts'

export interface Subscription {
  readonly company: number
  readonly id: number
  readonly url: string
  readonly secret: string
  readonly format: 'json'
  readonly actions: readonly string[]
  readonly enabled: boolean
}

type Given = Partial<Pick<Subscription, 'url' | 'secret' | 'actions' | 'enabled'>>

/** `/v1/company_webhooks`: webhook subscriptions of a company. */
export class Subscriptions {
  private readonly all = new Map<number, Subscription>()
  private nextId = 27

  readonly list = (request: FakeRequest): object =>
    pageOf(
      request,
      { list: 'company_webhooks', item: 'company_webhook' },
      this.of(request.company.id),
      toResponse,
    )

  readonly get = (request: FakeRequest): object => ({ company_webhook: toResponse(this.find(request)) })

  async create(request: FakeRequest, call: Call): Promise<Answer> {
    const { url, ...given } = givenIn(call)
    if (!url) throw badRequest('url is required')
    const id = this.nextId++
    const usual = { secret: randomBytes(10).toString('hex'), actions: [], enabled: false }
    const made: Subscription = { ...usual, ...given, url, company: request.company.id, id, format: 'json' }
    return { status: 201, body: await this.save(made, null) }
  }

  async change(request: FakeRequest, call: Call): Promise<Answer> {
    const before = this.find(request)
    return ok(await this.save({ ...before, ...givenIn(call) }, before))
  }

  readonly remove = (request: FakeRequest): object => {
    this.all.delete(this.find(request).id)
    return { success: true }
  }

  /** Returns the subscriptions of a company. */
  of(company: number): Subscription[] {
    return [...this.all.values()].filter((one) => one.company === company)
  }

  /** Enables a new or changed subscription only if its test message succeeds. */
  private async save(wanted: Subscription, before: Subscription | null): Promise<object> {
    const isNew = !before?.enabled || before.url !== wanted.url || before.secret !== wanted.secret
    const testResult: DeliveryResult | null =
      wanted.enabled && isNew ? await deliver(wanted, '{"action":"test"}') : null
    const saved = {
      ...wanted,
      enabled: wanted.enabled && (testResult === null || testResult.outcome === 'accepted'),
    }
    this.all.set(saved.id, saved)
    return { company_webhook: toResponse(saved) }
  }

  private find({ company, id }: FakeRequest): Subscription {
    const found = this.of(company.id).find((one) => String(one.id) === id)
    if (!found) throw new Refusal(404, 'Webhook not found')
    return found
  }
}

const toResponse = ({ company: _, ...subscription }: Subscription) => subscription

function givenIn({ body }: Call): Given {
  const { url, secret, actions, enabled } = JSON.parse(body || '{}') as Given
  const given = { url, secret, actions, enabled }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
