import { drivenBetween, type GpsFix } from './gps-fix.ts'
import { type JurisdictionDistance, MileageTotals } from './mileage-totals.ts'
import { kilometersBetween } from '../../../domain/geo/geodesy.ts'

/**
 * Minimum length of a scaled part of a track. Odometers count in steps of up to a kilometer, which distorts short
 * parts.
 */
const MIN_PART_KILOMETERS = 10
/** Maximum step of an odometer. */
const STEP_KILOMETERS = 1
/** Plausible scales. Tire wear makes the odometer a little inexact. Curves are longer than the lines between fixes. */
const MIN_SCALE = 0.8
const MAX_SCALE = 1.5

/**
 * Scales the distances of a part of a track to its odometer distance. It adds a part to the totals when the part ends.
 */
export class OdometerScaler {
  private readonly unscaled = new MileageTotals()
  private anchor: GpsFix | undefined
  private kilometers = 0

  constructor(private readonly totals: MileageTotals) {}

  /** Starts a part at a fix. */
  startAt(fix: GpsFix): void {
    this.anchor = fix
  }

  /**
   * Adds the distances of a segment that ends at `end`. Ends the part if the odometer is known there, unless the part
   * is still too short to be scaled.
   */
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

  /** Ends the part at a fix: adds its scaled distances to the totals. */
  endAt(fix: GpsFix): void {
    this.unscaled.moveTo(this.totals, this.anchor ? scaleOf(this.anchor, fix, this.kilometers) : 1)
    this.kilometers = 0
  }
}

/**
 * Returns the ratio of the odometer distance to the length of the lines between fixes. 1 if the odometer distance is
 * unknown or implausible.
 */
function scaleOf(from: GpsFix, to: GpsFix, kilometers: number): number {
  const driven = drivenBetween(from, to)
  if (driven === null || kilometers === 0) return 1
  const min = kilometersBetween(from, to) * MIN_SCALE - STEP_KILOMETERS
  const max = kilometers * MAX_SCALE + STEP_KILOMETERS
  return driven >= min && driven <= max ? driven / kilometers : 1
}
