import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import { ignoreForbidden, ignoreNotFound } from '../error-mapping.ts'
import { memoizePerAccount } from '../../http/memoize.ts'
import { id } from '../schemas/schema-types.ts'
import { readAllItems } from './paging/pages.ts'

const recordWithId = z.looseObject({ id })

/** Reads the groups of each member, by its id. Only a group lists its members, so each group is requested. */
const membership = (members: 'vehicles' | 'users') =>
  memoizePerAccount(async (api: ProviderApi): Promise<ReadonlyMap<string, readonly string[]>> => {
    const groupsOf = new Map<string, string[]>()
    const groups = (await readAllItems(api, '/v1/groups').catch(ignoreForbidden)) ?? []
    const ids = groups.flatMap((group) => idOf(group) ?? [])
    // Groups are in order of id, so that another order of the list does not change the records of members.
    for (const group of ids.toSorted((one, other) => Number(one) - Number(other))) {
      const listed = await readAllItems(api, `/v1/groups/${group}/${members}`).catch(ignoreNotFound)
      // Pages overlap, so a member may be listed twice.
      for (const member of new Set(listed.map(idOf)))
        if (member !== null) groupsOf.set(member, [...(groupsOf.get(member) ?? []), group])
    }
    return groupsOf
  })

export const idOf = (item: unknown): string | null => recordWithId.safeParse(item).data?.id ?? null

const memberships = { vehicle: membership('vehicles'), user: membership('users') }

const recordWithGroupIds = z.looseObject({
  /** An unreadable id stays, so that the mapping leaves it out and the sync reports it. */
  group_ids: z.array(z.unknown().transform((value) => id.safeParse(value).data ?? value)),
})

/**
 * Adds the group ids to each member. Motive includes them for some accounts. For the other accounts, the groups are
 * requested.
 */
export const withGroups =
  (kind: keyof typeof memberships) =>
  async (items: readonly unknown[], api: ProviderApi): Promise<unknown[]> => {
    const included = items.map((item) => recordWithGroupIds.safeParse(item).data?.group_ids)
    if (included.every((groupIds) => groupIds !== undefined))
      return items.map((item, index) => ({ [kind]: item, groupIds: included[index] }))
    const groupsOf = await memberships[kind](api)
    return items.map((item) => ({ [kind]: item, groupIds: groupsOf.get(idOf(item) ?? '') ?? [] }))
  }
