import type { ProviderCredentials, Renewal } from '../../../providers/provider.ts'
import { unlessAborted } from '../../../unless-aborted.ts'
import { renewCredentials } from './renew-credentials.ts'
import type { RenewFrom } from './renewal-lease.ts'
import { type Account, areSame, type KeptCredentials } from './stored-credentials.ts'

interface UnderWay {
  readonly used: ProviderCredentials
  readonly renewed: Promise<KeptCredentials>
}

/** What this process is about to renew, by its database and the connection. */
const underWay = new WeakMap<RenewFrom['db'], Map<string, UnderWay>>()

/**
 * Renews the credentials of a connection: in one process once for all who wait, of all processes in one at a time. Who
 * leaves does not end it for the others.
 */
export function renewTogether(
  from: RenewFrom,
  account: Account,
  renewal: Renewal,
  used: ProviderCredentials,
  signal: AbortSignal,
): Promise<KeptCredentials> {
  const known = underWay.get(from.db) ?? new Map<string, UnderWay>()
  underWay.set(from.db, known)
  const found = known.get(account.id)
  if (found && areSame(found.used, used)) return unlessAborted(signal, found.renewed)
  const renewed = renewCredentials(from, account, renewal, used)
  const mine = { used, renewed }
  known.set(account.id, mine)
  const forget = () => {
    if (known.get(account.id) === mine) known.delete(account.id)
  }
  renewed.then(forget, forget)
  return unlessAborted(signal, renewed)
}
