import type { Instant } from '../time.ts'
import { defineModel } from './define-model.ts'
import type { NormalizedEntity } from './normalized-record.ts'

export interface NormalizedDevice extends NormalizedEntity {
  readonly type: 'tracker' | 'camera'
  readonly vehicleSourceId: string | null
  readonly description: string | null
  readonly serialNumber: string | null
  readonly lastConnectedAt: Instant | null
}

export const deviceModel = defineModel<NormalizedDevice>()({
  name: 'Device',
  read: 'sync',
  id: { kind: 'device', prefix: 'dvc' },
  node: { typeName: 'Device', table: 'devices' },
  queryFields: ['device', 'devices'],
  scope: 'devices:read',
  sessionScope: 'READ_FLEET',
  consentCategory: 'vehicles',
  ranges: {},
  required: {},
  columns: ({ vehicleSourceId, sourceId: _, deletedAt: __, ...fields }, resolveId) => ({
    ...fields,
    vehicleId: resolveId('vehicle', vehicleSourceId),
  }),
})
