import type { Point } from '../ledger/points.ts'
import { dateTime, degrees, type Entity, idOfVersion } from '../words.ts'
import { deviceReference } from './fleet.ts'

export const kindsOfLogRecord = (): readonly number[] => [0]

export const toLogRecord = (vehicle: number, point: Point, _kind: number, version: number): Entity => ({
  latitude: degrees(point.latitude),
  longitude: degrees(point.longitude),
  speed: speedOf(point),
  dateTime: dateTime(point.at),
  device: deviceReference(vehicle),
  id: idOfVersion(version),
})

/** Devices tell whole kilometers per hour. */
export const speedOf = ({ metersPerSecond }: Pick<Point, 'metersPerSecond'>): number =>
  Math.round(metersPerSecond * 3.6)
