import type { Fake, Ground } from '../kit/fake.ts'
import { Refusal } from './http/call.ts'
import { controlsOf } from './control.ts'
import { Samsara } from './samsara.ts'
import { truths } from './truth/truth.ts'

/** Creates the fake of Samsara over these fleets. */
export function samsaraOf({ clock, accounts }: Ground): Fake {
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

const formats: Readonly<Record<number, string>> = {
  401: 'Invalid token.',
  403: 'The token has no permission.',
  404: 'Not found.',
  429: 'Exceeded rate limit.',
}

const refusalOf = (status: number) =>
  new Refusal(
    status,
    formats[status] ?? 'An error has occurred.',
    status === 429 ? { 'retry-after': '0.40235' } : {},
  )

/** Expected records by model, for the whole life of the fleet unless the query limits it. */
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
