import { defineModel } from './define-model.ts'
import type { NormalizedEntity, NormalizedLicense } from './normalized-record.ts'

export interface NormalizedTrailer extends NormalizedEntity {
  readonly status: 'active' | 'inactive'
  readonly name: string | null
  readonly vin: string | null
  readonly serialNumber: string | null
  readonly make: string | null
  readonly model: string | null
  readonly year: number | null
  readonly groupSourceIds: readonly string[]
  readonly licensePlate: NormalizedLicense | null
}

export const trailerModel = defineModel<NormalizedTrailer>()({
  name: 'Trailer',
  read: 'sync',
  id: { kind: 'trailer', prefix: 'trl' },
  node: { typeName: 'Trailer', table: 'trailers' },
  queryFields: ['trailer', 'trailers'],
  scope: 'trailers:read',
  sessionScope: 'READ_FLEET',
  consentCategory: 'vehicles',
  ranges: {},
  required: {},
  columns: ({ licensePlate, groupSourceIds, sourceId: _, deletedAt: __, ...fields }, resolveId) => ({
    ...fields,
    licensePlateState: licensePlate?.state ?? null,
    licensePlateNumber: licensePlate?.number ?? null,
    groupIds: groupSourceIds.map((id) => resolveId('group', id)),
  }),
})
