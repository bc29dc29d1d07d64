import type { Fake, FakeContext } from '../kit/fake.ts'
import { Refusal } from './http/call.ts'
import { controlsOf } from './control.ts'
import { Samsara } from './samsara.ts'
import { truths } from './truth/truth.ts'

/** Creates the fake of Samsara. */
export function samsaraOf({ clock, accounts }: FakeContext): Fake {
  const samsara = new Samsara(accounts, clock.now)
  return {
    routes: [...controlsOf(samsara), ...samsara.routes()],
    refusal: (status, { path }) => samsara.refused(refusalOf(status), path),
    keyOf: (call) => String(samsara.bearerOf(call)?.organization ?? 'nobody'),
    pagedBy: 'after',
    limitsOf: (call, endpoint) => samsara.limitsOf(call, endpoint),
    switches: samsara.positions,
    truth: truthsOf(samsara),
  }
}

const messages: Readonly<Record<number, string>> = {
  401: 'Invalid token.',
  403: 'The token has no permission.',
  404: 'Not found.',
  429: 'Exceeded rate limit.',
}

const refusalOf = (status: number) =>
  new Refusal(
    status,
    messages[status] ?? 'An error has occurred.',
    status === 429 ? { 'retry-after': '0.40235' } : {},
  )

/** Returns the records that an adapter should read, by model. By default they cover all time until now. */
const truthsOf = (samsara: Samsara): Fake['truth'] =>
  Object.fromEntries(
    Object.entries(truths).map(([model, truth]) => [
      model,
      (account: number, from: number, to: number) => {
        const organization = samsara.organization(account)
        if (!organization) return []
        const request = {
          organization,
          switches: samsara.switches,
          query: new URLSearchParams(),
          id: '',
          body: '',
          origin: '',
        }
        return truth(request, Math.max(from, organization.world.startsAt), Math.min(to, organization.now + 1))
      },
    ]),
  )
