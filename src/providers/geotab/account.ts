import { z } from 'zod'
import type { ProviderApi } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'
import type { FleetAccount, ProviderCredentials } from '../provider.ts'
import { parseParts } from '../mapping/readable-parts.ts'
import { get } from './api-calls.ts'
import { emailOf, user } from './readers/drivers.ts'
import { text } from './schema-types.ts'

const device = z.looseObject({ timeZoneId: text })

/**
 * Describes the account, which is a database. Its days are in the time zone of the user who signed in, or of a device
 * if the user has none.
 */
export async function fleetAccountOf(
  api: ProviderApi,
  credentials: ProviderCredentials,
): Promise<FleetAccount> {
  const { database = '', userName = '' } = credentials
  const currentUser = await userNamed(api, userName)
  return {
    sourceId: database.toLowerCase(),
    name: database,
    dotNumbers: [],
    timeZone: currentUser?.timeZoneId ?? (await zoneOfFirstDevice(api)),
    user: {
      ...(currentUser ? { sourceId: currentUser.id } : {}),
      ...(currentUser?.firstName ? { firstName: currentUser.firstName } : {}),
      ...(currentUser?.lastName ? { lastName: currentUser.lastName } : {}),
      ...(currentUser && emailOf(currentUser) ? { email: emailOf(currentUser) as string } : {}),
    },
  }
}

/** Finds a user by name. User names are not case-sensitive. */
async function userNamed(api: ProviderApi, userName: string) {
  const found = await emptyIfForbidden(get(api, 'User', { search: { name: userName }, resultsLimit: 10 }))
  const users = found.flatMap((record) => parseParts(user, record) ?? [])
  return users.find(({ name }) => name?.toLowerCase() === userName.toLowerCase()) ?? null
}

async function zoneOfFirstDevice(api: ProviderApi): Promise<string | null> {
  const [first] = await emptyIfForbidden(get(api, 'Device', { resultsLimit: 1 }))
  return device.safeParse(first).data?.timeZoneId ?? null
}

/** Returns an empty list if the account lacks the permission to list these records. */
const emptyIfForbidden = (request: Promise<unknown[]>): Promise<unknown[]> =>
  request.catch((error: unknown) => {
    if (error instanceof ProviderError && error.kind === 'scope_missing') return []
    throw error
  })
