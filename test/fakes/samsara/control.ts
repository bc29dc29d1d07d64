import { ok, type Call, type Route } from '../kit/http.ts'
import type { Samsara } from './samsara.ts'
import { deliver, type WebhookRequest } from './webhooks/deliveries.ts'

/** Test controls of Samsara, in addition to those of every fake. */
export const controlsOf = (samsara: Samsara): Route[] => [
  { method: 'GET', path: '/_fake/budgets', handle: () => ok(samsara.budgets.report()) },
  /** Replaces rate limits by name, and resets the counts. */
  post('/_fake/budgets', (given: Record<string, number>) => {
    samsara.budgets.reset()
    for (const [name, requests] of Object.entries(given)) samsara.budgets.changed.set(name, requests)
    return {}
  }),
  /** Adds a token of an organization with restricted scopes. */
  post('/_fake/tokens', ({ token, ...bearer }: { token: string; organization: number; scopes: string[] }) => {
    samsara.grants.addKey(token, bearer)
    return {}
  }),
  /** Expires all access tokens. */
  post('/_fake/expiry', () => {
    samsara.grants.expireAll()
    return {}
  }),
  /** Revokes every grant of an organization. */
  post('/_fake/revocation', ({ organization }: { organization: number }) => {
    samsara.grants.revokeAll(organization)
    return {}
  }),
  post('/_fake/deliveries', (webhook: WebhookRequest & { organization?: number }) => {
    const organization = samsara.organization(webhook.organization ?? 1)
    if (!organization) return []
    const subscriptions = samsara.webhooks.of(organization.world.account.number)
    return deliver(organization, subscriptions, webhook, samsara.switches)
  }),
]

const post = <Given>(path: string, act: (given: Given) => object | Promise<object>): Route => ({
  method: 'POST',
  path,
  handle: async ({ body }: Call) => ok(await act(JSON.parse(body || '{}') as Given)),
})
