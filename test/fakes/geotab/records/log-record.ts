import type { Point } from '../stores/point-index.ts'
import { dateTime, degrees, type Entity, idOfVersion } from '../formats.ts'
import { deviceReference, type Fleet } from '../fleet/fleet.ts'

const WITHOUT_POSITION = 1

/** Returns the kinds of records of a point. Some devices also send a record without a position at the same time. */
export const kindsOfLogRecord =
  ({ switches }: Fleet) =>
  (vehicle: number, { at }: Point): readonly number[] =>
    switches.oddRecords === 'some' && (at / 1000 + vehicle) % 20 < 5 ? [WITHOUT_POSITION, 0] : [0]

export const toLogRecord = (vehicle: number, point: Point, kind: number, version: number): Entity => ({
  latitude: kind === WITHOUT_POSITION ? 0 : degrees(point.latitude),
  longitude: kind === WITHOUT_POSITION ? 0 : degrees(point.longitude),
  speed: kind === WITHOUT_POSITION ? 'NaN' : speedOf(point),
  dateTime: dateTime(point.at),
  device: deviceReference(vehicle),
  id: idOfVersion(version),
})

/** Returns whole kilometers per hour, as devices do. */
export const speedOf = ({ metersPerSecond }: Pick<Point, 'metersPerSecond'>): number =>
  Math.round(metersPerSecond * 3.6)
