import { setTimeout as wait } from 'node:timers/promises'
import { ProviderError } from '../../../providers/api.ts'
import type { ProviderCredentials, Renewal } from '../../../providers/provider.ts'
import { endTurn, type RenewFrom, refuseInTurn, storeRenewed, takeTurn, type Turn } from './renewal-lease.ts'
import type { Account, KeptCredentials } from './stored-credentials.ts'

/** What the provider may take to answer: less than the turn to ask it lasts. */
const ANSWER_MS = 8_000
/** Longer than a turn: whoever waits for a worker that died takes its place. */
const LONGEST_WAIT_MS = 15_000
const LONGEST_PAUSE_MS = 400
const ATTEMPTS = 3

/**
 * Renews the credentials of a connection, or gives those that another worker has stored meanwhile. One worker asks the
 * provider at a time, and what it is given is stored before anybody uses it. Where the provider refuses to renew, the
 * connection is disconnected; an outage is tried again, and then thrown.
 */
export async function renewCredentials(
  from: RenewFrom,
  account: Account,
  renewal: Renewal,
  used: ProviderCredentials,
): Promise<KeptCredentials> {
  const begun = performance.now()
  for (let looks = 0, attempt = 1; ; looks++) {
    const found = await takeTurn(from, account, used)
    if (found && 'others' in found) return found.others
    try {
      const renewed = found && (await renewInTurn(from, account, renewal, found.turn))
      if (renewed) return renewed
    } catch (error) {
      if (!isOutage(error) || attempt++ === ATTEMPTS) throw error
    }
    if (performance.now() - begun > LONGEST_WAIT_MS)
      throw new ProviderError('unavailable', 'another worker is renewing the sign-in')
    const pauseMs = Math.min(25 * 2 ** looks, LONGEST_PAUSE_MS) * (0.5 + Math.random())
    await wait(pauseMs)
  }
}

const isOutage = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'unavailable'

/**
 * Asks the provider, outside of any transaction. A caller that leaves does not end it, since what was asked for has to
 * be stored; a failure that nobody foresaw leaves the turn to end by itself.
 */
async function renewInTurn(
  from: RenewFrom,
  account: Account,
  renewal: Renewal,
  turn: Turn,
): Promise<KeptCredentials | null> {
  let renewed: ProviderCredentials
  try {
    renewed = await answeredInTime(renewal, turn.used)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'revoked') return refuseInTurn(from, account, turn, error)
    await endTurn(from, account, turn)
    throw error
  }
  return storeRenewed(from, account, turn, renewed)
}

async function answeredInTime(renewal: Renewal, used: ProviderCredentials): Promise<ProviderCredentials> {
  const limit = AbortSignal.timeout(ANSWER_MS)
  try {
    return await renewal.renew(used, limit)
  } catch (cause) {
    if (!limit.aborted || cause instanceof ProviderError) throw cause
    throw new ProviderError('unavailable', 'the sign-in was not renewed in time', { cause, timedOut: true })
  }
}
