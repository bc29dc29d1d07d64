import { drivenBetween, type GpsFix } from './gps-fix.ts'
import { type JurisdictionDistance, MileageTotals } from './mileage-totals.ts'
import { kilometersBetween } from '../jurisdictions/geodesy.ts'

/** A part of a track is scaled once it is this long: odometers count in steps of up to a kilometer. */
const SCALED_KILOMETERS = 10
const STEP_KILOMETERS = 1
/** Tires wear, so an odometer tells a little less than a line through fixes, or as much more as a road winds. */
const MIN_SCALE = 0.8
const GREATEST_SCALE = 1.5

/** A part of a track between two odometer readings, added to the totals when the second is known. */
export class OdometerScaler {
  private readonly unscaled = new MileageTotals()
  private anchor: GpsFix | undefined
  private kilometers = 0

  constructor(private readonly totals: MileageTotals) {}

  startAt(fix: GpsFix): void {
    this.anchor = fix
  }

  add(distances: readonly JurisdictionDistance[], end: GpsFix): void {
    for (const distance of distances) {
      this.unscaled.add(distance)
      this.kilometers += distance.kilometers
    }
    if (end.odometerKilometers == null) return
    if (this.kilometers < SCALED_KILOMETERS && this.anchor?.odometerKilometers != null) return
    this.endAt(end)
    this.startAt(end)
  }

  endAt(fix: GpsFix): void {
    this.unscaled.moveTo(this.totals, this.anchor ? scaleOf(this.anchor, fix, this.kilometers) : 1)
    this.kilometers = 0
  }
}

/** By how much the lines through fixes are shorter than what was driven; 1 where the odometer cannot be right. */
function scaleOf(from: GpsFix, to: GpsFix, kilometers: number): number {
  const driven = drivenBetween(from, to)
  if (driven === null || kilometers === 0) return 1
  const least = kilometersBetween(from, to) * MIN_SCALE - STEP_KILOMETERS
  const greatest = kilometers * GREATEST_SCALE + STEP_KILOMETERS
  return driven >= least && driven <= greatest ? driven / kilometers : 1
}
