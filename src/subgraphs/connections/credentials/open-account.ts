import { ProviderError, type ProviderApi } from '../../../providers/api.ts'
import type { Priority } from '../../../providers/budgets/budget.ts'
import type { ProviderCredentials, Renewing } from '../../../providers/provider.ts'
import type { RenewFrom } from './renewal-lease.ts'
import { renewTogether } from './shared-renewal.ts'
import { type Account, areSame, signInOf, storedCredentials } from './stored-credentials.ts'

/** What ends sooner is renewed before it is used. */
const SOON_MS = 60_000

/** Hears with what a connection is signed in to, as it is stored: at first, and after each renewal. */
export type NoteSignIn = (sealed: string) => void

/** The API of a connection's provider with its credentials, which are renewed as long as it is used. */
export async function openAccount(
  from: RenewFrom,
  account: Account,
  signal: AbortSignal,
  priority: Priority = 'background',
  noteSignIn?: NoteSignIn,
): Promise<ProviderApi> {
  const adapter = from.registry.find(account.provider)
  const { credentials, sealed } = await usableCredentials(from, account)
  if (!adapter) throw new Error(`there is no provider ${account.provider}`)
  noteSignIn?.(sealed)
  return adapter.api(credentials, signal, priority, renewingOf(from, account, signal, noteSignIn))
}

type StoredAt = Pick<RenewFrom, 'db' | 'secrets'>
type Whose = Pick<Account, 'id' | 'applicationId'>

/** What opens a connection's account at its provider. */
export const credentialsOf = async (from: StoredAt, account: Whose): Promise<ProviderCredentials> =>
  (await usableCredentials(from, account)).credentials

async function usableCredentials({ db, secrets }: StoredAt, account: Whose) {
  const { credentials = null, sealed = '' } = (await storedCredentials(db, secrets, account)) ?? {}
  if (!credentials) throw new Error(`connection ${account.id} is gone`)
  return { credentials, sealed }
}

/** Whether the same may be answered otherwise later. */
const mayPass = (error: unknown): boolean =>
  error instanceof ProviderError && (error.kind === 'unavailable' || error.kind === 'limited')

/** Keeps the credentials of a connection good while its account is asked, and what is stored of them with it. */
export function renewingOf(
  from: RenewFrom,
  account: Account,
  signal: AbortSignal,
  noteSignIn?: NoteSignIn,
): Renewing {
  const renewing = storedRenewing(from, account, signal)
  return noteSignIn ? noting(renewing, async () => noteSignIn(await signInOf(from.db, account.id))) : renewing
}

/** What is refused after a renewal is what was renewed. */
const noting = ({ fresh, instead }: Renewing, note: () => Promise<void>): Renewing => ({
  async fresh(credentials) {
    const next = await fresh(credentials)
    if (next !== credentials) await note()
    return next
  },
  async instead(refused) {
    const next = await instead(refused)
    if (next) await note()
    return next
  },
})

function storedRenewing(from: RenewFrom, account: Account, signal: AbortSignal): Renewing {
  const renewal = from.registry.find(account.provider)?.renewal
  /** Those that are used to their end: just renewed, or not to be renewed for now. */
  let kept: ProviderCredentials | undefined
  return {
    async fresh(credentials) {
      const end = renewal?.endOf(credentials) ?? null
      const now = from.clock.now()
      if (!renewal || end === null || end - now > SOON_MS) return credentials
      if (credentials === kept && end > now) return credentials
      try {
        return (kept = await renewTogether(from, account, renewal, credentials, signal))
      } catch (error) {
        if (!mayPass(error) || end <= now) throw error
        return (kept = credentials)
      }
    },

    async instead(refused) {
      if (renewal && renewal.endOf(refused) !== null)
        return renewTogether(from, account, renewal, refused, signal)
      // The fleet may have signed in again, while it was asked with what it signed in with before.
      const { credentials } = (await storedCredentials(from.db, from.secrets, account)) ?? {}
      return credentials && !areSame(credentials, refused) ? credentials : null
    },
  }
}
