import {
  type JurisdictionLookup,
  type Jurisdiction,
  loadJurisdictionLookup,
} from '../jurisdictions/jurisdiction-lookup.ts'
import type { GpsFix } from './gps-fix.ts'
import { odometerDistanceOver, type TrackGap, gapReason, SEEN_MS } from './track-gaps.ts'
import type { JurisdictionDistance } from './mileage-totals.ts'
import { MileageTotals } from './mileage-totals.ts'
import { type MonthCalendar, monthCalendarOf } from './calendar-months.ts'
import { OdometerScaler } from './odometer-scaling.ts'
import { kilometersBetween } from '../jurisdictions/geodesy.ts'
import { splitSegment } from './split-segments.ts'

export interface MileageResult {
  readonly distances: readonly JurisdictionDistance[]
  /** The first thousand. */
  readonly gaps: readonly TrackGap[]
}

/** Adds up a vehicle's track fix by fix; what it keeps grows with the months and gaps of a track, not with its fixes. */
export interface MileageCalculator {
  /** Adds a fix that is not earlier than the last one. */
  add(fix: GpsFix): void
  result(): MileageResult
}

/**
 * The distance of a track by month and jurisdiction. Ways that nobody saw are gaps: what the odometer says was driven
 * over them has no jurisdiction, and without an odometer they are in no sum.
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
  atlas: JurisdictionLookup,
  calendar: MonthCalendar,
): MileageCalculator => new TrackMileageCalculator(atlas, calendar)

const GAPS_LISTED = 1000

class TrackMileageCalculator implements MileageCalculator {
  private readonly totals = new MileageTotals()
  private readonly gaps: TrackGap[] = []
  private readonly run = new OdometerScaler(this.totals)
  private last: GpsFix | undefined
  private lastJurisdiction: Jurisdiction | null = null

  constructor(
    private readonly atlas: JurisdictionLookup,
    private readonly calendar: MonthCalendar,
  ) {}

  add(fix: GpsFix): void {
    const { last, lastJurisdiction } = this
    if (last && fix.locatedAt < last.locatedAt) throw new RangeError('a track is added in the order of time')
    const jurisdiction = this.atlas.jurisdictionOf(fix)
    this.last = fix
    this.lastJurisdiction = jurisdiction
    if (!last) return this.run.startAt(fix)
    const reason = gapReason(last, fix)
    if (reason === null) return this.addSeen(last, lastJurisdiction, fix, jurisdiction)
    this.addGap({
      startedAt: last.locatedAt,
      endedAt: fix.locatedAt,
      reason,
      fromJurisdiction: lastJurisdiction,
      toJurisdiction: jurisdiction,
      straightKilometers: kilometersBetween(last, fix),
      odometerKilometers: odometerDistanceOver(last, fix),
    })
    this.run.endAt(last)
    this.run.startAt(fix)
  }

  result(): MileageResult {
    if (this.last) {
      this.run.endAt(this.last)
      this.run.startAt(this.last)
    }
    return { distances: this.totals.distances(), gaps: [...this.gaps] }
  }

  /** What took longer than a gap may, a vehicle stood: as with a gap, it counts in the month in which it is over. */
  private addSeen(
    last: GpsFix,
    fromJurisdiction: Jurisdiction | null,
    fix: GpsFix,
    toJurisdiction: Jurisdiction | null,
  ) {
    const stood = fix.locatedAt - last.locatedAt > SEEN_MS
    const from = stood ? { ...last, locatedAt: fix.locatedAt } : last
    const segment = { from, to: fix, fromJurisdiction, toJurisdiction }
    this.run.add(splitSegment(segment, this.atlas, this.calendar), fix)
  }

  private addGap(gap: TrackGap): void {
    if (this.gaps.length < GAPS_LISTED) this.gaps.push(gap)
    const { name: month } = this.calendar.monthAt(gap.endedAt)
    if (gap.odometerKilometers !== null)
      this.totals.add({ month, jurisdiction: null, kilometers: gap.odometerKilometers })
  }
}
