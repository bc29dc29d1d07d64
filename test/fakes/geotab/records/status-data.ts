import type { Fix, Vehicle } from '../../world/truth.ts'
import type { Point } from '../stores/point-index.ts'
import { MINUTE } from '../times.ts'
import { dateTime, type Entity, idOfVersion, rounded, versionText } from '../formats.ts'
import { deviceReference, type Fleet } from '../fleet/fleet.ts'

export interface Reading {
  readonly diagnostic: string
  readonly value: (fix: Fix) => number
}

/** Measurements, in MyGeotab's units: meters, seconds, percent, and 1 for on. */
export const readings: readonly Reading[] = [
  {
    diagnostic: 'DiagnosticOdometerId',
    value: ({ odometerMeters }) => Math.round(odometerMeters / 100) * 100,
  },
  {
    diagnostic: 'DiagnosticEngineHoursId',
    value: ({ engineRunMilliseconds }) => rounded(engineRunMilliseconds / 1000, 3),
  },
  { diagnostic: 'DiagnosticIgnitionId', value: ({ engine }) => (engine === 'off' ? 0 : 1) },
  { diagnostic: 'DiagnosticFuelLevelId', value: ({ fuel }) => rounded(fuel * 100, 2) },
]

/** Whether a vehicle reports no odometer of the engine, so that its fleet entered adjusted values. */
export const isAdjusted = ({ switches }: Fleet, vehicle: number): boolean =>
  switches.adjustedValues === 'some' && vehicle % 4 === 3

const ADJUSTED_METERS = 12_000_000
const ADJUSTED_SECONDS = 360_000

/** Adjusted measurements. Only the current state of a device has them. */
export const adjusted: readonly Reading[] = [
  {
    diagnostic: 'DiagnosticOdometerAdjustmentId',
    value: ({ odometerMeters }) => Math.round(odometerMeters / 100) * 100 + ADJUSTED_METERS,
  },
  {
    diagnostic: 'DiagnosticEngineHoursAdjustmentId',
    value: ({ engineRunMilliseconds }) => rounded(engineRunMilliseconds / 1000, 3) + ADJUSTED_SECONDS,
  },
]

const FUEL = readings.findIndex(({ diagnostic }) => diagnostic === 'DiagnosticFuelLevelId')
const SLOT = 10 * MINUTE

/** Returns the indexes of a point's readings. Points in the second half of each ten minutes have none. */
export function readingsAt(point: Point, fuel: Vehicle['fuel']): readonly number[] {
  if (point.fix === null || point.at % SLOT >= SLOT / 2) return []
  return readings.map((_, index) => index).filter((index) => index !== FUEL || fuel !== 'electric')
}

export const kindsOfStatusData = (fleet: Fleet) => (vehicle: number, point: Point) =>
  readingsAt(point, fleet.fuelOf(vehicle))

export function toStatusData(
  fleet: Fleet,
  vehicle: number,
  { fix, at }: Point,
  kind: number,
  version: number,
): Entity {
  const { diagnostic, value } = readings[kind] as Reading
  return {
    data: fix && value(fix),
    dateTime: dateTime(at),
    device: deviceReference(vehicle),
    diagnostic: { id: diagnostic },
    controller: fleet.sentinel('ControllerNoneId'),
    version: versionText(version),
    id: idOfVersion(version),
  }
}
