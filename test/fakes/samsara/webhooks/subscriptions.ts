import { randomBytes } from 'node:crypto'
import { badRequest, listed, notFound, type FakeRequest } from '../http/call.ts'
import { pageOf } from '../http/pages.ts'

export interface Subscription {
  readonly organization: number
  readonly number: number
  readonly id: string
  readonly name: string
  readonly url: string
  readonly version: string
  readonly eventTypes: readonly string[]
  readonly customHeaders: readonly { key: string; value: string }[]
  /** Key that signs the webhooks, in base64. */
  readonly secretKey: string
}

const VERSIONS = ['2018-01-01', '2021-06-09']
const ID_OFFSET = 23_900

/** `/webhooks`: webhook subscriptions of an organization. */
export class Subscriptions {
  private readonly all = new Map<string, Subscription>()
  private nextNumber = 1

  readonly list = (request: FakeRequest): object => {
    const ids = listed(request.query, 'ids')
    const all = this.of(request.organization.world.account.number)
    const wanted = all.filter(({ id }) => ids.length === 0 || ids.includes(id))
    const { items, pagination } = pageOf(request, wanted, ({ number }) => [number])
    return { data: items.map(toResponse), pagination }
  }

  readonly create = (request: FakeRequest): object => {
    const given = bodyOf(request)
    if (!given.name || !given.url) throw badRequest('Missing required field.')
    const number = this.nextNumber++
    const subscription: Subscription = {
      version: '2018-01-01',
      eventTypes: [],
      customHeaders: [],
      ...(given as { name: string; url: string }),
      organization: request.organization.world.account.number,
      number,
      id: String(ID_OFFSET + number),
      secretKey: randomBytes(32).toString('base64'),
    }
    this.all.set(subscription.id, subscription)
    return toResponse(subscription)
  }

  readonly get = (request: FakeRequest): object => toResponse(this.find(request))

  readonly change = (request: FakeRequest): object => {
    const changed = { ...this.find(request), ...bodyOf(request) }
    this.all.set(changed.id, changed)
    return toResponse(changed)
  }

  readonly remove = (request: FakeRequest): null => {
    this.all.delete(this.find(request).id)
    return null
  }

  /** Returns the subscriptions of an organization. */
  of(organization: number): Subscription[] {
    return [...this.all.values()].filter((one) => one.organization === organization)
  }

  private find({ organization, id }: FakeRequest): Subscription {
    const found = this.of(organization.world.account.number).find((one) => one.id === id)
    if (!found) throw notFound()
    return found
  }
}

const toResponse = ({ organization: _, number: __, ...subscription }: Subscription) => subscription

type Given = Partial<Pick<Subscription, 'name' | 'url' | 'version' | 'eventTypes' | 'customHeaders'>>

function bodyOf({ body }: FakeRequest): Given {
  const { name, url, version, eventTypes, customHeaders } = JSON.parse(body || '{}') as Given
  if (version !== undefined && !VERSIONS.includes(version))
    throw badRequest('Invalid value for field version.')
  const given = { name, url, version, eventTypes, customHeaders }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
