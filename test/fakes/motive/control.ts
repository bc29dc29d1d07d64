import { ok, type Route } from '../kit/http.ts'
import type { Motive } from './motive.ts'
import type { Bearer } from './sign-in/grants.ts'
import type { WebhookRequest } from './webhooks/deliveries.ts'

/** Test controls of Motive, in addition to those of every fake. */
export const controlsOf = (motive: Motive): Route[] => [
  /** Adds a key with restricted scopes. */
  post('/_fake/keys', ({ key, ...bearer }: Bearer & { key: string }) => {
    motive.grants.addKey(key, bearer)
    return {}
  }),
  /** Expires all access tokens. */
  post('/_fake/expiry', () => {
    motive.grants.expireAll()
    return {}
  }),
  /** Revokes every grant of a company. */
  post('/_fake/revocation', ({ account }: { account: number }) => {
    motive.grants.revokeAll(account)
    return {}
  }),
  /** Holds or releases the requests of endpoints with a concurrency limit. */
  post('/_fake/gate', ({ held }: { held: boolean }) => {
    if (held) motive.gate.hold()
    else motive.gate.release()
    return { held }
  }),
  post('/_fake/deliveries', ({ account = 1, ...webhook }: WebhookRequest & { account?: number }) => {
    const company = motive.company(account)
    return company ? motive.deliveries.send(motive.webhooks.of(company.id), webhook) : []
  }),
  /** Retries the failed deliveries that are due by the clock. */
  post('/_fake/retries', () => motive.deliveries.retry()),
]

const post = <Given>(path: string, act: (given: Given) => object | Promise<object>): Route => ({
  method: 'POST',
  path,
  handle: async ({ body }) => ok(await act(JSON.parse(body || '{}') as Given)),
})
