import { ok, type Call, type Route } from '../kit/http.ts'
import type { Samsara } from './samsara.ts'
import { deliver, type Telling } from './webhooks/deliveries.ts'

/** What a test may do that is Samsara's own, beside what it may do with every fake. */
export const controlsOf = (samsara: Samsara): Route[] => [
  { method: 'GET', path: '/_fake/budgets', handle: () => ok(samsara.budgets.report()) },
  /** Gives budgets, by name, other numbers of requests, and counts anew. */
  post('/_fake/budgets', (given: Record<string, number>) => {
    samsara.budgets.reset()
    for (const [name, requests] of Object.entries(given)) samsara.budgets.changed.set(name, requests)
    return {}
  }),
  /** An organization's token that may only read so much. */
  post('/_fake/tokens', ({ token, ...bearer }: { token: string; organization: number; scopes: string[] }) => {
    samsara.grants.addKey(token, bearer)
    return {}
  }),
  /** Ends the time of all access tokens. */
  post('/_fake/expiry', () => {
    samsara.grants.expireAll()
    return {}
  }),
  /** An organization takes back all that it has permitted. */
  post('/_fake/revocation', ({ organization }: { organization: number }) => {
    samsara.grants.revokeAll(organization)
    return {}
  }),
  post('/_fake/deliveries', (telling: Telling & { organization?: number }) => {
    const organization = samsara.organization(telling.organization ?? 1)
    if (!organization) return []
    const subscriptions = samsara.webhooks.of(organization.world.account.number)
    return deliver(organization, subscriptions, telling, samsara.switches)
  }),
]

const post = <Given>(path: string, act: (given: Given) => object | Promise<object>): Route => ({
  method: 'POST',
  path,
  handle: async ({ body }: Call) => ok(await act(JSON.parse(body || '{}') as Given)),
})
