import { z } from 'zod'
import type { ProviderApi } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'
import type { Account, ProviderCredentials } from '../provider.ts'
import { get } from './api-calls.ts'
import { emailOf, user } from './readers/drivers.ts'
import { text } from './schema-types.ts'

const device = z.looseObject({ timeZoneId: text })

/** Whoever signs in may read one database: that is the account. Its days are those of whoever signs in. */
export async function accountOf(api: ProviderApi, credentials: ProviderCredentials): Promise<Account> {
  const { database = '', userName = '' } = credentials
  const me = await userNamed(api, userName)
  return {
    sourceId: database.toLowerCase(),
    name: database,
    dotNumbers: [],
    timeZone: me?.timeZoneId ?? (await zoneOfDevices(api)),
    user: {
      ...(me ? { sourceId: me.id } : {}),
      ...(me?.firstName ? { firstName: me.firstName } : {}),
      ...(me?.lastName ? { lastName: me.lastName } : {}),
      ...(me && emailOf(me) ? { email: emailOf(me) as string } : {}),
    },
  }
}

/** Names are told apart without their case. */
async function userNamed(api: ProviderApi, userName: string) {
  const found = await allowed(get(api, 'User', { search: { name: userName }, resultsLimit: 10 }))
  const users = found.flatMap((one) => user.safeParse(one).data ?? [])
  return users.find(({ name }) => name?.toLowerCase() === userName.toLowerCase()) ?? null
}

async function zoneOfDevices(api: ProviderApi): Promise<string | null> {
  const [first] = await allowed(get(api, 'Device', { resultsLimit: 1 }))
  return device.safeParse(first).data?.timeZoneId ?? null
}

/** Who may not list these may read others. */
const allowed = (asked: Promise<unknown[]>): Promise<unknown[]> =>
  asked.catch((error: unknown) => {
    if (error instanceof ProviderError && error.kind === 'scope_missing') return []
    throw error
  })
