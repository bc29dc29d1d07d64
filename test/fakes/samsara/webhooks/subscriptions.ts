import { randomBytes } from 'node:crypto'
import { badRequest, listed, notFound, type Asked } from '../call.ts'
import { pageOf } from '../pages.ts'

export interface Subscription {
  readonly organization: number
  readonly number: number
  readonly id: string
  readonly name: string
  readonly url: string
  readonly version: string
  readonly eventTypes: readonly string[]
  readonly customHeaders: readonly { key: string; value: string }[]
  /** Base64 of the key that deliveries are signed with. */
  readonly secretKey: string
}

const VERSIONS = ['2018-01-01', '2021-06-09']
const FIRST_ID = 23_900

/** `/webhooks`: what an organization wants to be told of. */
export class Subscriptions {
  private readonly all = new Map<string, Subscription>()

  readonly list = (asked: Asked): object => {
    const ids = listed(asked.query, 'ids')
    const mine = this.of(asked.organization.world.account.number)
    const wanted = mine.filter(({ id }) => ids.length === 0 || ids.includes(id))
    const { items, pagination } = pageOf(asked, wanted, ({ number }) => [number])
    return { data: items.map(told), pagination }
  }

  readonly create = (asked: Asked): object => {
    const given = bodyOf(asked)
    if (!given.name || !given.url) throw badRequest('Missing required field.')
    const number = this.all.size + 1
    const subscription: Subscription = {
      version: '2018-01-01',
      eventTypes: [],
      customHeaders: [],
      ...(given as { name: string; url: string }),
      organization: asked.organization.world.account.number,
      number,
      id: String(FIRST_ID + number),
      secretKey: randomBytes(32).toString('base64'),
    }
    this.all.set(subscription.id, subscription)
    return told(subscription)
  }

  readonly get = (asked: Asked): object => told(this.mine(asked))

  readonly change = (asked: Asked): object => {
    const changed = { ...this.mine(asked), ...bodyOf(asked) }
    this.all.set(changed.id, changed)
    return told(changed)
  }

  readonly remove = (asked: Asked): null => {
    this.all.delete(this.mine(asked).id)
    return null
  }

  /** Those of an organization. */
  of(organization: number): Subscription[] {
    return [...this.all.values()].filter((one) => one.organization === organization)
  }

  private mine({ organization, id }: Asked): Subscription {
    const found = this.of(organization.world.account.number).find((one) => one.id === id)
    if (!found) throw notFound()
    return found
  }
}

const told = ({ organization: _, number: __, ...subscription }: Subscription) => subscription

type Given = Partial<Pick<Subscription, 'name' | 'url' | 'version' | 'eventTypes' | 'customHeaders'>>

function bodyOf({ body }: Asked): Given {
  const { name, url, version, eventTypes, customHeaders } = JSON.parse(body || '{}') as Given
  if (version !== undefined && !VERSIONS.includes(version))
    throw badRequest('Invalid value for field version.')
  const given = { name, url, version, eventTypes, customHeaders }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
