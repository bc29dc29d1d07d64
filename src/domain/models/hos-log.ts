import type { Instant } from '../time.ts'
import { defineModel, exampleId } from './define-model.ts'
import type { Point } from './point.ts'
import { lookbackDays } from './lookback.ts'

export const hosStatuses = [
  'off_duty',
  'sleeper_bed',
  'driving',
  'on_duty',
  'yard_move',
  'personal_conveyance',
  'waiting_time',
] as const

export type HosStatus = (typeof hosStatuses)[number]

interface NormalizedHosRemark {
  readonly notes: string
  readonly sourceId: string | null
  readonly submittedAt: Instant | null
}

export interface NormalizedHosLog {
  readonly sourceId: string
  readonly status: HosStatus
  readonly driverSourceId: string
  readonly vehicleSourceId: string | null
  readonly codriverSourceIds: readonly string[]
  readonly startedAt: Instant
  readonly endedAt: Instant | null
  readonly location: Point | null
  readonly remarks: readonly NormalizedHosRemark[]
}

export const hosLogModel = defineModel<NormalizedHosLog>()({
  name: 'HOSLog',
  read: 'sync',
  id: { kind: 'hosLog', prefix: 'hos_log' },
  node: { typeName: 'HosLog', table: 'hos_logs' },
  queryFields: ['hosLog', 'hosLogs'],
  scope: 'hos:read',
  sessionScope: 'READ_RECORDS',
  consentCategory: 'hours',
  owner: 'driver',
  lookback: lookbackDays(1),
  events: {
    prefix: 'hos_log',
    member: 'hosLog',
    types: {
      removed: { description: 'The provider no longer has an hours-of-service log.', optIn: true },
    },
    example: {
      status: 'driving',
      driver: exampleId('drv'),
      vehicle: exampleId('vcl'),
      codrivers: [],
      startedAt: '2026-01-31T11:00:00.000Z',
      endedAt: '2026-01-31T11:30:00.000Z',
      remarks: [],
    },
  },
  ranges: {},
  required: { startedAt: true },
  columns: (normalized, resolveId) => ({
    status: normalized.status,
    driverId: resolveId('driver', normalized.driverSourceId),
    vehicleId: resolveId('vehicle', normalized.vehicleSourceId),
    codriverIds: normalized.codriverSourceIds.map((id) => resolveId('driver', id)),
    startedAt: normalized.startedAt,
    endedAt: normalized.endedAt,
    longitude: normalized.location?.longitude ?? null,
    latitude: normalized.location?.latitude ?? null,
    remarks: normalized.remarks,
  }),
})
