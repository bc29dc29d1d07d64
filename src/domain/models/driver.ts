import { defineModel } from './define-model.ts'
import type { NormalizedEntity, NormalizedLicense } from './normalized-record.ts'

export interface NormalizedDriver extends NormalizedEntity {
  readonly status: 'active' | 'inactive'
  readonly firstName: string | null
  readonly middleName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly username: string | null
  readonly license: NormalizedLicense | null
  readonly groupSourceIds: readonly string[]
}

export const driverModel = defineModel<NormalizedDriver>()({
  name: 'Driver',
  read: 'sync',
  id: { kind: 'driver', prefix: 'drv' },
  node: { typeName: 'Driver', table: 'drivers' },
  queryFields: ['driver', 'drivers'],
  scope: 'drivers:read',
  sessionScope: 'READ_FLEET',
  consentCategory: 'drivers',
  events: {
    prefix: 'driver',
    member: 'driver',
    types: {
      added: { description: 'A driver appeared.' },
      modified: { description: 'A driver changed.' },
      removed: { description: 'The provider no longer lists a driver.' },
    },
    example: {
      status: 'active',
      firstName: 'Grace',
      lastName: 'Hopper',
      metadata: { visibility: 'visible' },
      groups: [],
    },
  },
  ranges: {},
  required: {},
  columns: ({ license, groupSourceIds, sourceId: _, deletedAt: __, ...fields }, resolveId) => ({
    ...fields,
    licenseState: license?.state ?? null,
    licenseNumber: license?.number ?? null,
    groupIds: groupSourceIds.map((id) => resolveId('group', id)),
  }),
})
