import {
  type JurisdictionLookup,
  type Jurisdiction,
  loadJurisdictionLookup,
} from '../../../domain/jurisdictions/jurisdiction-lookup.ts'
import type { GpsFix } from './gps-fix.ts'
import { odometerDistanceOver, type TrackGap, gapReason, MAX_FIX_INTERVAL_MS } from './track-gaps.ts'
import { type JurisdictionDistance, MileageTotals } from './mileage-totals.ts'
import { type MonthCalendar, monthCalendarOf } from './calendar-months.ts'
import { OdometerScaler } from './odometer-scaling.ts'
import { kilometersBetween } from '../../../domain/geo/geodesy.ts'
import { splitSegment } from './split-segments.ts'

export interface MileageResult {
  readonly distances: readonly JurisdictionDistance[]
  /** The first gaps, at most 1000. */
  readonly gaps: readonly TrackGap[]
}

/** Totals the track of a vehicle, fix by fix. Its memory use depends on the months and gaps, not on the fixes. */
export interface MileageCalculator {
  /** Adds a fix. It must not be earlier than the last one. */
  add(fix: GpsFix): void
  result(): MileageResult
}

/**
 * Calculates the distance of a track by month and jurisdiction. The odometer distance over a gap counts without a
 * jurisdiction. A gap without odometer values counts in no total.
 */
export async function calculateMileage(
  fixes: Iterable<GpsFix> | AsyncIterable<GpsFix>,
  { timeZone }: { readonly timeZone: string },
): Promise<MileageResult> {
  const calculator = createMileageCalculator(await loadJurisdictionLookup(), monthCalendarOf(timeZone))
  for await (const fix of fixes) calculator.add(fix)
  return calculator.result()
}

export const createMileageCalculator = (
  lookup: JurisdictionLookup,
  calendar: MonthCalendar,
): MileageCalculator => new TrackMileageCalculator(lookup, calendar)

const MAX_GAPS = 1000

class TrackMileageCalculator implements MileageCalculator {
  private readonly totals = new MileageTotals()
  private readonly gaps: TrackGap[] = []
  private readonly scaler = new OdometerScaler(this.totals)
  private last: GpsFix | undefined
  private lastJurisdiction: Jurisdiction | null = null

  constructor(
    private readonly lookup: JurisdictionLookup,
    private readonly calendar: MonthCalendar,
  ) {}

  add(fix: GpsFix): void {
    const { last, lastJurisdiction } = this
    if (last && fix.locatedAt < last.locatedAt)
      throw new RangeError('fixes must be added in the order of their times')
    const jurisdiction = this.lookup.jurisdictionOf(fix)
    this.last = fix
    this.lastJurisdiction = jurisdiction
    if (!last) return this.scaler.startAt(fix)
    const reason = gapReason(last, fix)
    if (reason === null) return this.addSegment(last, lastJurisdiction, fix, jurisdiction)
    this.addGap({
      startedAt: last.locatedAt,
      endedAt: fix.locatedAt,
      reason,
      fromJurisdiction: lastJurisdiction,
      toJurisdiction: jurisdiction,
      straightKilometers: kilometersBetween(last, fix),
      odometerKilometers: odometerDistanceOver(last, fix),
    })
    this.scaler.endAt(last)
    this.scaler.startAt(fix)
  }

  result(): MileageResult {
    if (this.last) {
      this.scaler.endAt(this.last)
      this.scaler.startAt(this.last)
    }
    return { distances: this.totals.distances(), gaps: [...this.gaps] }
  }

  /**
   * Adds a segment without a gap. If it lasts longer than MAX_FIX_INTERVAL_MS, the vehicle was parked. Such a segment
   * counts in the month of its end, as a gap does.
   */
  private addSegment(
    last: GpsFix,
    fromJurisdiction: Jurisdiction | null,
    fix: GpsFix,
    toJurisdiction: Jurisdiction | null,
  ) {
    const wasParked = fix.locatedAt - last.locatedAt > MAX_FIX_INTERVAL_MS
    const from = wasParked ? { ...last, locatedAt: fix.locatedAt } : last
    const segment = { from, to: fix, fromJurisdiction, toJurisdiction }
    this.scaler.add(splitSegment(segment, this.lookup, this.calendar), fix)
  }

  private addGap(gap: TrackGap): void {
    if (this.gaps.length < MAX_GAPS) this.gaps.push(gap)
    const { name: month } = this.calendar.monthAt(gap.endedAt)
    if (gap.odometerKilometers !== null)
      this.totals.add({ month, jurisdiction: null, kilometers: gap.odometerKilometers })
  }
}
