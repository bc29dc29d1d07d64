import type { Point } from '../ledger/points.ts'
import { dateTime, degrees, type Entity, idOfVersion } from '../words.ts'
import { deviceReference, type Fleet } from './fleet.ts'

const NOWHERE = 1

/** Now and then a device tells at the same time that it does not know where it is. */
export const kindsOfLogRecord =
  ({ switches }: Fleet) =>
  (vehicle: number, { at }: Point): readonly number[] =>
    switches.oddRecords === 'some' && (at / 1000 + vehicle) % 20 < 5 ? [NOWHERE, 0] : [0]

export const toLogRecord = (vehicle: number, point: Point, kind: number, version: number): Entity => ({
  latitude: kind === NOWHERE ? 0 : degrees(point.latitude),
  longitude: kind === NOWHERE ? 0 : degrees(point.longitude),
  speed: kind === NOWHERE ? 'NaN' : speedOf(point),
  dateTime: dateTime(point.at),
  device: deviceReference(vehicle),
  id: idOfVersion(version),
})

/** Devices tell whole kilometers per hour. */
export const speedOf = ({ metersPerSecond }: Pick<Point, 'metersPerSecond'>): number =>
  Math.round(metersPerSecond * 3.6)
