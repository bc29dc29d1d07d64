import type { Jurisdiction } from '../../ifta/atlas.ts'
import type { Gap } from '../../ifta/gaps.ts'
import type { Distance } from '../../ifta/ledger.ts'
import type { Calendar } from '../../ifta/months.ts'
import type { Distances } from '../../ifta/tally.ts'
import type { Read } from '../../intake/read.ts'
import type { IftaMonthDraft } from '../../providers/drafts.ts'
import { toIso } from '../../time.ts'
import { rounded } from '../../units.ts'

export interface ComputedFor {
  readonly vehicleSourceId: string
  readonly calendar: Calendar
  readonly timeZone: string
}

const GAPS_TOLD = 50

/**
 * The sums of a tally as records, to the meter. A month with gaps has one without a jurisdiction, if of no distance:
 * it tells the gaps. Those of the jurisdictions tell the gaps that begin or end in them.
 */
export function computedMonths(
  { distances, gaps }: Distances,
  computed: ComputedFor,
): Read<IftaMonthDraft>[] {
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
        draft: monthDraft(computed, sum),
        raw: rawMonth(computed, sum.jurisdiction, gapsOf(month)),
      }))
  })
}

/** What a month is that has no more distance in a jurisdiction. */
export const emptyMonth = (
  computed: ComputedFor,
  { month, jurisdiction }: Pick<Distance, 'month' | 'jurisdiction'>,
): Read<IftaMonthDraft> => ({
  draft: monthDraft(computed, { month, jurisdiction, kilometers: 0 }),
  raw: rawMonth(computed, jurisdiction, []),
})

const monthDraft = (
  { vehicleSourceId }: ComputedFor,
  { month, jurisdiction, kilometers }: Distance,
): IftaMonthDraft => ({
  sourceId: `${vehicleSourceId}/${month}/${jurisdiction ?? ''}`,
  vehicleSourceId,
  month,
  jurisdiction,
  distanceKilometers: kilometers,
})

const rawMonth = ({ timeZone }: ComputedFor, jurisdiction: Jurisdiction | null, gaps: readonly Gap[]) => ({
  computed: true,
  timeZone,
  gaps: gaps
    .filter((gap) => [null, gap.fromJurisdiction, gap.toJurisdiction].includes(jurisdiction))
    .slice(0, GAPS_TOLD)
    .map(rawGap),
})

const rawGap = ({ startedAt, endedAt, straightKilometers, odometerKilometers, ...told }: Gap) => ({
  startedAt: toIso(startedAt),
  endedAt: toIso(endedAt),
  ...told,
  straightKilometers: rounded(straightKilometers, 3),
  odometerKilometers: odometerKilometers === null ? null : rounded(odometerKilometers, 3),
})
