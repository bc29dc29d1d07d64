import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedGroup } from '../../../domain/models/group.ts'
import type { Reader } from '../../provider.ts'
import { id, references, text } from '../schema-types.ts'
import { listAll } from '../paged-readers.ts'

const group = z.looseObject({ id, name: text, children: references })

/** Adds the parent of each group: the API returns only children. */
async function groupsOf(api: ProviderApi): Promise<unknown[]> {
  const groups = await listAll(api, 'Group')
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

const groupWithParent = z.object({ group, parent: id.nullable() })

export const groupReader: Reader<NormalizedGroup> = {
  mode: 'full',
  schema: 'Group',
  read: async (api) => ({ records: await groupsOf(api), next: null }),
  normalize(record) {
    const { group, parent } = validate(groupWithParent, record)
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
