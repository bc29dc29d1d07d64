import { defineModel } from './define-model.ts'
import type { NormalizedEntity } from './normalized-record.ts'

export interface NormalizedGroup extends NormalizedEntity {
  readonly name: string | null
  readonly description: string | null
  readonly parentSourceId: string | null
}

export const groupModel = defineModel<NormalizedGroup>()({
  name: 'Group',
  read: 'sync',
  id: { kind: 'group', prefix: 'group' },
  node: { typeName: 'Group', table: 'groups' },
  queryFields: ['group', 'groups'],
  scope: 'groups:read',
  sessionScope: 'READ_FLEET',
  ranges: {},
  required: {},
  columns: ({ name, description, parentSourceId, createdAt, updatedAt }, resolveId) => ({
    name,
    description,
    parentId: resolveId('group', parentSourceId),
    createdAt,
    updatedAt,
  }),
})
