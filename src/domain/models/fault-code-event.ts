import type { Instant } from '../time.ts'
import { defineModel, exampleId } from './define-model.ts'
import { lookbackDays } from './lookback.ts'
import { count, integer } from './value-ranges.ts'

interface NormalizedFaultCode {
  readonly sourceId: string
  /** Set if later data of the provider disproves a fault that was reported before. */
  readonly deletedAt?: Instant | null
  readonly vehicleSourceId: string
  readonly status: 'open' | 'pending' | 'closed'
  /** For example P0087 (OBD-II) or SPN100-FMI1 (J1939). */
  readonly code: string
  readonly description: string | null
  readonly observedAt: Instant
  readonly milStatus: 'on' | 'off' | null
}

export interface NormalizedJ1939 extends NormalizedFaultCode {
  readonly protocol: 'j1939'
  /** Suspect parameter number. */
  readonly spn: number
  readonly spnDescription: string | null
  /** Failure mode identifier, 0 to 31. */
  readonly fmi: number | null
  readonly fmiDescription: string | null
  readonly occurrenceCount: number | null
  readonly sourceAddress: number | null
}

interface NormalizedObdii extends NormalizedFaultCode {
  readonly protocol: 'obdii'
}

export type NormalizedFaultCodeEvent = NormalizedJ1939 | NormalizedObdii

export const faultCodeEventModel = defineModel<NormalizedFaultCodeEvent>()({
  name: 'FaultCodeEvent',
  read: 'sync',
  id: { kind: 'faultCodeEvent', prefix: 'fc_evt' },
  node: {
    typeName: { j1939: 'J1939FaultCodeEvent', obdii: 'ObdiiFaultCodeEvent' },
    table: 'fault_code_events',
  },
  types: ['FaultCodeEvent'],
  queryFields: ['faultCodeEvent', 'faultCodeEvents'],
  scope: 'fault_codes:read',
  sessionScope: 'READ_RECORDS',
  consentCategory: 'faults',
  owner: 'vehicle',
  lookback: lookbackDays(2),
  events: {
    prefix: 'fault_code',
    member: 'faultCodeEvent',
    types: {
      removed: {
        description: 'The provider no longer has a fault code, or later data disproves it.',
        optIn: true,
      },
    },
    example: {
      protocol: 'obdii',
      vehicle: exampleId('vcl'),
      status: 'open',
      code: 'P0087',
      description: 'Fuel rail pressure too low',
      observedAt: '2026-01-31T11:00:00.000Z',
      obdii: { code: 'P0087', description: 'Fuel rail pressure too low' },
    },
  },
  ranges: { spn: count, fmi: integer(0, 31), occurrenceCount: count, sourceAddress: integer(0, 255) },
  required: { observedAt: true, spn: true },
  columns: (normalized, resolveId) => ({
    protocol: normalized.protocol,
    vehicleId: resolveId('vehicle', normalized.vehicleSourceId),
    status: normalized.status,
    code: normalized.code,
    description: normalized.description,
    observedAt: normalized.observedAt,
    milStatus: normalized.milStatus,
    ...(normalized.protocol === 'j1939' ? j1939Columns(normalized) : {}),
  }),
})

const j1939Columns = (normalized: NormalizedJ1939) => ({
  spn: normalized.spn,
  spnDescription: normalized.spnDescription,
  fmi: normalized.fmi,
  fmiDescription: normalized.fmiDescription,
  occurrenceCount: normalized.occurrenceCount,
  sourceAddress: normalized.sourceAddress,
})
