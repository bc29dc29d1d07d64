import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedGroup } from '../../../domain/models/group.ts'
import type { Reader } from '../../provider.ts'
import { id, reference, references, text } from '../schema-types.ts'
import { listAll } from '../paged-readers.ts'

const groupSchema = z.looseObject({ id, name: text, children: references })

const recordWithChildren = z.looseObject({
  id,
  children: z.array(z.unknown()).nullish().catch(null),
})

/** Reads all groups and adds the parent of each, because MyGeotab only lists the children of a group. */
async function groupsWithParents(api: ProviderApi): Promise<unknown[]> {
  const groups = await listAll(api, 'Group')
  const parents = new Map(
    groups.flatMap((record) => {
      const { data } = recordWithChildren.safeParse(record)
      const children = data?.children?.flatMap((child) => reference.safeParse(child).data ?? []) ?? []
      return children.map((child) => [child, data?.id ?? ''] as const)
    }),
  )
  return groups.map((record) => ({
    group: record,
    parent: parents.get(recordWithChildren.safeParse(record).data?.id ?? '') ?? null,
  }))
}

const groupWithParent = z.object({ group: groupSchema, parent: id.nullable() })

export const groupReader: Reader<NormalizedGroup> = {
  mode: 'full',
  schema: 'Group',
  read: async (api) => ({ records: await groupsWithParents(api), next: null }),
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
