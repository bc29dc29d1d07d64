import { ProviderError, type ProviderApi } from '../../../providers/api.ts'
import type { Priority } from '../../../providers/budgets/budget.ts'
import type { ProviderCredentials, Renewing } from '../../../providers/provider.ts'
import type { RenewFrom } from './renewal-lease.ts'
import { renewTogether } from './shared-renewal.ts'
import { type Account, areSame, type KeptCredentials, storedCredentials } from './stored-credentials.ts'

/** What ends sooner is renewed before it is used. */
const SOON_MS = 60_000

/** Hears with what an account is asked, and how that was stored: at first, and after each renewal. */
export type NoteSignIn = (used: KeptCredentials) => void

/** The API of a connection's provider with its credentials, which are renewed as long as it is used. */
export async function openAccount(
  from: RenewFrom,
  account: Account,
  signal: AbortSignal,
  priority: Priority = 'background',
  noteSignIn?: NoteSignIn,
): Promise<ProviderApi> {
  const adapter = from.registry.find(account.provider)
  const used = await usableCredentials(from, account)
  if (!adapter) throw new Error(`there is no provider ${account.provider}`)
  noteSignIn?.(used)
  return adapter.api(used.credentials, signal, priority, renewingOf(from, account, signal, noteSignIn))
}

type StoredAt = Pick<RenewFrom, 'db' | 'secrets'>
type Whose = Pick<Account, 'id' | 'applicationId'>

/** What opens a connection's account at its provider. */
export const credentialsOf = async (from: StoredAt, account: Whose): Promise<ProviderCredentials> =>
  (await usableCredentials(from, account)).credentials

async function usableCredentials({ db, secrets }: StoredAt, account: Whose): Promise<KeptCredentials> {
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
  const renewal = from.registry.find(account.provider)?.renewal
  /** Those that are used to their end: just renewed, or not to be renewed for now. */
  let kept: ProviderCredentials | undefined
  /** What is refused after a renewal is what was renewed, whatever is stored by then. */
  const noted = (used: KeptCredentials): ProviderCredentials => {
    noteSignIn?.(used)
    return used.credentials
  }
  return {
    async fresh(credentials) {
      const end = renewal?.endOf(credentials) ?? null
      const now = from.clock.now()
      if (!renewal || end === null || end - now > SOON_MS) return credentials
      if (credentials === kept && end > now) return credentials
      try {
        return (kept = noted(await renewTogether(from, account, renewal, credentials, signal)))
      } catch (error) {
        if (!mayPass(error) || end <= now) throw error
        return (kept = credentials)
      }
    },

    async instead(refused) {
      if (renewal && renewal.endOf(refused) !== null)
        return noted(await renewTogether(from, account, renewal, refused, signal))
      // The fleet may have signed in again, while it was asked with what it signed in with before.
      const { credentials = null, sealed = '' } =
        (await storedCredentials(from.db, from.secrets, account)) ?? {}
      return credentials && !areSame(credentials, refused) ? noted({ credentials, sealed }) : null
    },
  }
}
