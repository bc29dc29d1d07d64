import { defineModel } from './define-model.ts'
import { DAY_MS } from './lookback.ts'

/** Distance of one vehicle in one jurisdiction and one month. */
export interface NormalizedIftaMonth {
  readonly sourceId: string
  readonly vehicleSourceId: string
  /** YYYY-MM in the fleet's time zone. */
  readonly month: string
  /** Two-letter code of a US state or Canadian province; null if unknown. */
  readonly jurisdiction: string | null
  readonly distanceKilometers: number
}

export const iftaSummaryModel = defineModel<NormalizedIftaMonth>()({
  name: 'IFTASummary',
  read: 'sync',
  id: { kind: 'iftaReport', prefix: 'ifta_rpt' },
  types: ['IftaSummary'],
  queryFields: ['iftaSummary'],
  scope: 'ifta:read',
  sessionScope: 'READ_RECORDS',
  consentCategory: 'fuel_tax',
  owner: 'vehicle',
  lookback: [{ ms: DAY_MS }, { ms: 62 * DAY_MS, everyMs: DAY_MS }],
  // Records of months are few, so a backfill reads 13 more months of them.
  backfillMs: 396 * DAY_MS,
  ranges: {},
  required: { distanceKilometers: true },
  columns: (normalized, resolveId) => ({
    vehicleId: resolveId('vehicle', normalized.vehicleSourceId),
    month: normalized.month,
    jurisdiction: normalized.jurisdiction ?? '',
    distance: normalized.distanceKilometers,
  }),
})
