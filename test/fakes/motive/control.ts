import { ok, type Route } from '../kit/http.ts'
import type { Motive } from './motive.ts'
import type { Bearer } from './sign-in/grants.ts'
import type { Telling } from './webhooks/deliveries.ts'

/** What a test may do that is Motive's own, beside what it may do with every fake. */
export const controlsOf = (motive: Motive): Route[] => [
  /** A key that may only read so much. */
  post('/_fake/keys', ({ key, ...bearer }: Bearer & { key: string }) => {
    motive.grants.addKey(key, bearer)
    return {}
  }),
  /** Ends the time of all access tokens. */
  post('/_fake/expiry', () => {
    motive.grants.expireAll()
    return {}
  }),
  /** A company takes back all that it has permitted. */
  post('/_fake/revocation', ({ account }: { account: number }) => {
    motive.grants.revokeAll(account)
    return {}
  }),
  /** Holds whoever asks where only so many may at once, or lets them go on. */
  post('/_fake/gate', ({ held }: { held: boolean }) => {
    if (held) motive.gate.hold()
    else motive.gate.release()
    return { held }
  }),
  post('/_fake/deliveries', ({ account = 1, ...telling }: Telling & { account?: number }) => {
    const company = motive.company(account)
    return company ? motive.deliveries.tell(motive.webhooks.of(company.id), telling) : []
  }),
  /** Tries again what was not taken and is due by the clock. */
  post('/_fake/retries', () => motive.deliveries.retry()),
]

const post = <Given>(path: string, act: (given: Given) => object | Promise<object>): Route => ({
  method: 'POST',
  path,
  handle: async ({ body }) => ok(await act(JSON.parse(body || '{}') as Given)),
})
