import type { Jurisdiction } from './jurisdictions/jurisdiction-lookup.ts'
import type { TrackGap } from './mileage/track-gaps.ts'
import type { JurisdictionDistance } from './mileage/mileage-totals.ts'
import type { MonthCalendar } from './mileage/calendar-months.ts'
import type { MileageResult } from './mileage/mileage-calculator.ts'
import type { ParsedRecord } from '../ingest/parse-page.ts'
import type { NormalizedIftaMonth } from '../../providers/normalized-records.ts'
import { toIso } from '../../domain/time.ts'
import { rounded } from '../../domain/units.ts'

export interface ComputedMonthTarget {
  readonly vehicleSourceId: string
  readonly calendar: MonthCalendar
  readonly timeZone: string
}

const MAX_GAPS_LISTED = 50

/**
 * The sums of a tally as records, to the meter. A month with gaps has one without a jurisdiction, if of no distance:
 * it tells the gaps. Those of the jurisdictions tell the gaps that begin or end in them.
 */
export function computedMonths(
  { distances, gaps }: MileageResult,
  computed: ComputedMonthTarget,
): ParsedRecord<NormalizedIftaMonth>[] {
  const gapsOf = (month: string) =>
    gaps.filter(({ endedAt }) => computed.calendar.monthAt(endedAt).name === month)
  const withGaps = new Set(gaps.map(({ endedAt }) => computed.calendar.monthAt(endedAt).name))
  const months = new Set([...distances.map(({ month }) => month), ...withGaps])
  return [...months].flatMap((month) => {
    const sums = distances.filter((sum) => sum.month === month)
    const unknown = sums.find(({ jurisdiction }) => jurisdiction === null)
    const missing = withGaps.has(month) && !unknown ? [{ month, jurisdiction: null, kilometers: 0 }] : []
    return [...sums, ...missing]
      .map((sum) => ({ ...sum, kilometers: rounded(sum.kilometers, 3) }))
      .filter(
        ({ jurisdiction, kilometers }) => kilometers > 0 || (jurisdiction === null && withGaps.has(month)),
      )
      .map((sum) => ({
        normalized: normalizedMonth(computed, sum),
        raw: rawMonth(computed, sum.jurisdiction, gapsOf(month)),
      }))
  })
}

/** What a month is that has no more distance in a jurisdiction. */
export const emptyMonth = (
  computed: ComputedMonthTarget,
  { month, jurisdiction }: Pick<JurisdictionDistance, 'month' | 'jurisdiction'>,
): ParsedRecord<NormalizedIftaMonth> => ({
  normalized: normalizedMonth(computed, { month, jurisdiction, kilometers: 0 }),
  raw: rawMonth(computed, jurisdiction, []),
})

const normalizedMonth = (
  { vehicleSourceId }: ComputedMonthTarget,
  { month, jurisdiction, kilometers }: JurisdictionDistance,
): NormalizedIftaMonth => ({
  sourceId: `${vehicleSourceId}/${month}/${jurisdiction ?? ''}`,
  vehicleSourceId,
  month,
  jurisdiction,
  distanceKilometers: kilometers,
})

const rawMonth = (
  { timeZone }: ComputedMonthTarget,
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

const rawGap = ({ startedAt, endedAt, straightKilometers, odometerKilometers, ...told }: TrackGap) => ({
  startedAt: toIso(startedAt),
  endedAt: toIso(endedAt),
  ...told,
  straightKilometers: rounded(straightKilometers, 3),
  odometerKilometers: odometerKilometers === null ? null : rounded(odometerKilometers, 3),
})
