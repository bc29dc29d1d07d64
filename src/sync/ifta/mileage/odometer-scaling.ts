import { drivenBetween, type GpsFix } from './gps-fix.ts'
import { type JurisdictionDistance, MileageTotals } from './mileage-totals.ts'
import { kilometersBetween } from '../jurisdictions/geodesy.ts'

/**
 * Minimum length of a part of a track that is scaled, because odometers count in steps of up to a kilometer.
 */
const MIN_PART_KILOMETERS = 10
/** Maximum step of an odometer. */
const STEP_KILOMETERS = 1
/**
 * Plausible scales. Tire wear shifts the odometer a little; curves make it exceed the lines between fixes.
 */
const MIN_SCALE = 0.8
const MAX_SCALE = 1.5

/**
 * Scales a part of a track between two odometer values and adds it to the totals when the second is known.
 */
export class OdometerScaler {
  private readonly unscaled = new MileageTotals()
  private anchor: GpsFix | undefined
  private kilometers = 0

  constructor(private readonly totals: MileageTotals) {}

  /** Starts a part. */
  startAt(fix: GpsFix): void {
    this.anchor = fix
  }

  add(distances: readonly JurisdictionDistance[], end: GpsFix): void {
    for (const distance of distances) {
      this.unscaled.add(distance)
      this.kilometers += distance.kilometers
    }
    if (end.odometerKilometers == null) return
    if (this.kilometers < MIN_PART_KILOMETERS && this.anchor?.odometerKilometers != null) return
    this.endAt(end)
    this.startAt(end)
  }

  /** Ends a part: adds its scaled distances to the totals. */
  endAt(fix: GpsFix): void {
    this.unscaled.moveTo(this.totals, this.anchor ? scaleOf(this.anchor, fix, this.kilometers) : 1)
    this.kilometers = 0
  }
}

/**
 * Returns the ratio of the odometer distance to the lines between fixes. 1 if the odometer value is
 * implausible.
 */
function scaleOf(from: GpsFix, to: GpsFix, kilometers: number): number {
  const driven = drivenBetween(from, to)
  if (driven === null || kilometers === 0) return 1
  const min = kilometersBetween(from, to) * MIN_SCALE - STEP_KILOMETERS
  const max = kilometers * MAX_SCALE + STEP_KILOMETERS
  return driven >= min && driven <= max ? driven / kilometers : 1
}
