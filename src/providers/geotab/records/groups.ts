import { z } from 'zod'
import type { ProviderApi } from '../../api.ts'
import { checked } from '../../checked.ts'
import type { GroupDraft } from '../../drafts.ts'
import type { Reader } from '../../provider.ts'
import { id, references, text } from '../fields.ts'
import { all } from '../readers.ts'

const group = z.looseObject({ id, name: text, children: references })

/** Groups tell their children, never their parent. */
async function groupsOf(api: ProviderApi): Promise<unknown[]> {
  const groups = await all(api, 'Group')
  const parents = new Map(
    groups.flatMap((one) => {
      const { data } = group.safeParse(one)
      return data ? data.children.map((child) => [child, data.id] as const) : []
    }),
  )
  return groups.map((one) => ({
    group: one,
    parent: parents.get(group.safeParse(one).data?.id ?? '') ?? null,
  }))
}

const placedGroup = z.object({ group, parent: id.nullable() })

export const groupReader: Reader<GroupDraft> = {
  mode: 'full',
  schema: 'Group',
  read: async (api) => ({ records: await groupsOf(api), next: null }),
  toDraft(record) {
    const { group, parent } = checked(placedGroup, record)
    return {
      sourceId: group.id,
      deletedAt: null,
      createdAt: null,
      updatedAt: null,
      name: group.name,
      description: null,
      parentSourceId: parent,
    }
  },
}
