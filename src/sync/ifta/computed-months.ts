import type { Jurisdiction } from '../../domain/jurisdictions/jurisdiction-lookup.ts'
import type { TrackGap } from './mileage/track-gaps.ts'
import type { JurisdictionDistance } from './mileage/mileage-totals.ts'
import type { MonthCalendar } from './mileage/calendar-months.ts'
import type { MileageResult } from './mileage/mileage-calculator.ts'
import type { ParsedRecord } from '../ingest/parse-page.ts'
import type { NormalizedIftaMonth } from '../../domain/models/ifta-summary.ts'
import { toIso } from '../../domain/time.ts'
import { rounded } from '../../domain/units.ts'

/** Vehicle whose months are computed, with their calendar. */
export interface VehicleMonths {
  readonly vehicleSourceId: string
  readonly calendar: MonthCalendar
  readonly timeZone: string
}

const MAX_GAPS_LISTED = 50

/**
 * Converts mileage totals to records. Distances are rounded to the meter. A gap belongs to the month in which it ends. A
 * month with gaps has a record without a jurisdiction, even if its distance is 0, which lists the gaps of the month. The
 * record of a jurisdiction lists those that begin or end there. Each record lists the first 50 at most.
 */
export function computedMonths(
  { distances, gaps }: MileageResult,
  target: VehicleMonths,
): ParsedRecord<NormalizedIftaMonth>[] {
  const gapsOf = (month: string) =>
    gaps.filter(({ endedAt }) => target.calendar.monthAt(endedAt).name === month)
  const monthsWithGaps = new Set(gaps.map(({ endedAt }) => target.calendar.monthAt(endedAt).name))
  const months = new Set([...distances.map(({ month }) => month), ...monthsWithGaps])
  return [...months].flatMap((month) => {
    const totals = distances.filter((total) => total.month === month)
    const hasGaps = monthsWithGaps.has(month)
    const lacksUnknown = hasGaps && !totals.some(({ jurisdiction }) => jurisdiction === null)
    const added = lacksUnknown ? [{ month, jurisdiction: null, kilometers: 0 }] : []
    return [...totals, ...added]
      .map((total) => ({ ...total, kilometers: rounded(total.kilometers, 3) }))
      .filter(({ jurisdiction, kilometers }) => kilometers > 0 || (jurisdiction === null && hasGaps))
      .map((total) => ({
        normalized: normalizedMonth(target, total),
        raw: rawMonth(target, total.jurisdiction, gapsOf(month)),
      }))
  })
}

/** Returns the empty record of a stored total that a new computation lacks. */
export const emptyMonth = (
  target: VehicleMonths,
  { month, jurisdiction }: Pick<JurisdictionDistance, 'month' | 'jurisdiction'>,
): ParsedRecord<NormalizedIftaMonth> => ({
  normalized: normalizedMonth(target, { month, jurisdiction, kilometers: 0 }),
  raw: rawMonth(target, jurisdiction, []),
})

const normalizedMonth = (
  { vehicleSourceId }: VehicleMonths,
  { month, jurisdiction, kilometers }: JurisdictionDistance,
): NormalizedIftaMonth => ({
  sourceId: `${vehicleSourceId}/${month}/${jurisdiction ?? ''}`,
  vehicleSourceId,
  month,
  jurisdiction,
  distanceKilometers: kilometers,
})

const rawMonth = (
  { timeZone }: VehicleMonths,
  jurisdiction: Jurisdiction | null,
  gaps: readonly TrackGap[],
) => ({
  computed: true,
  timeZone,
  gaps: gaps
    .filter((gap) => [null, gap.fromJurisdiction, gap.toJurisdiction].includes(jurisdiction))
    .slice(0, MAX_GAPS_LISTED)
    .map(rawGap),
})

const rawGap = ({ startedAt, endedAt, straightKilometers, odometerKilometers, ...fields }: TrackGap) => ({
  startedAt: toIso(startedAt),
  endedAt: toIso(endedAt),
  ...fields,
  straightKilometers: rounded(straightKilometers, 3),
  odometerKilometers: odometerKilometers === null ? null : rounded(odometerKilometers, 3),
})
