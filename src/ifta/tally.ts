import { type Atlas, type Jurisdiction, loadAtlas } from './atlas.ts'
import type { Fix } from './fix.ts'
import { drivenOver, type Gap, gapReason, SEEN_MS } from './gaps.ts'
import type { Distance } from './ledger.ts'
import { Ledger } from './ledger.ts'
import { type Calendar, calendarOf } from './months.ts'
import { OdometerRun } from './odometer-run.ts'
import { kilometersBetween } from './sphere.ts'
import { stretchesOf } from './stretches.ts'

export interface Distances {
  readonly distances: readonly Distance[]
  /** The first thousand. */
  readonly gaps: readonly Gap[]
}

/** Adds up a vehicle's track fix by fix; what it keeps grows with the months and gaps of a track, not with its fixes. */
export interface Tally {
  /** Adds a fix that is not earlier than the last one. */
  add(fix: Fix): void
  result(): Distances
}

/**
 * The distance of a track by month and jurisdiction. Ways that nobody saw are gaps: what the odometer says was driven
 * over them has no jurisdiction, and without an odometer they are in no sum.
 */
export async function distancesOf(
  fixes: Iterable<Fix> | AsyncIterable<Fix>,
  { timeZone }: { readonly timeZone: string },
): Promise<Distances> {
  const tally = tallyOf(await loadAtlas(), calendarOf(timeZone))
  for await (const fix of fixes) tally.add(fix)
  return tally.result()
}

export const tallyOf = (atlas: Atlas, calendar: Calendar): Tally => new TrackTally(atlas, calendar)

const GAPS_LISTED = 1000

class TrackTally implements Tally {
  private readonly totals = new Ledger()
  private readonly gaps: Gap[] = []
  private readonly run = new OdometerRun(this.totals)
  private last: Fix | undefined
  private lastJurisdiction: Jurisdiction | null = null

  constructor(
    private readonly atlas: Atlas,
    private readonly calendar: Calendar,
  ) {}

  add(fix: Fix): void {
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
      odometerKilometers: drivenOver(last, fix),
    })
    this.run.endAt(last)
    this.run.startAt(fix)
  }

  result(): Distances {
    if (this.last) {
      this.run.endAt(this.last)
      this.run.startAt(this.last)
    }
    return { distances: this.totals.distances(), gaps: [...this.gaps] }
  }

  /** What took longer than a gap may, a vehicle stood: as with a gap, it counts in the month in which it is over. */
  private addSeen(
    last: Fix,
    fromJurisdiction: Jurisdiction | null,
    fix: Fix,
    toJurisdiction: Jurisdiction | null,
  ) {
    const stood = fix.locatedAt - last.locatedAt > SEEN_MS
    const from = stood ? { ...last, locatedAt: fix.locatedAt } : last
    const segment = { from, to: fix, fromJurisdiction, toJurisdiction }
    this.run.add(stretchesOf(segment, this.atlas, this.calendar), fix)
  }

  private addGap(gap: Gap): void {
    if (this.gaps.length < GAPS_LISTED) this.gaps.push(gap)
    const { name: month } = this.calendar.monthAt(gap.endedAt)
    if (gap.odometerKilometers !== null)
      this.totals.add({ month, jurisdiction: null, kilometers: gap.odometerKilometers })
  }
}
