import type { Fix, Vehicle } from '../../world/truth.ts'
import type { Search } from '../stores/entity-store.ts'
import { type ListedEntity, SnapshotStore } from '../stores/snapshot-store.ts'
import { dateTime, degrees, deviceId, type Entity, groupId } from '../formats.ts'
import { deviceReference, type Fleet } from '../fleet/fleet.ts'
import { speedOf } from './log-record.ts'
import { adjusted, isAdjusted, readings } from './status-data.ts'

/** Current state of each device, with the measurements of the requested diagnostics. */
export class DeviceStatusInfos extends SnapshotStore {
  constructor(private readonly fleet: Fleet) {
    super(() => listedOf(fleet, []))
  }

  override *all({ diagnostics = [] }: Search): Iterable<Entity> {
    for (const [, toEntity] of listedOf(this.fleet, diagnostics)) yield toEntity(0)
  }
}

const listedOf = (fleet: Fleet, diagnostics: readonly string[]): ListedEntity[] =>
  fleet.vehicles().flatMap((vehicle): ListedEntity[] => {
    const fix = vehicle.removedAt === null ? fleet.world.lastFix(vehicle.number) : null
    return fix ? [[deviceId(vehicle.number), () => toDeviceStatusInfo(fleet, vehicle, fix, diagnostics)]] : []
  })

export const isDriving = ({ engine, metersPerSecond }: Fix): boolean => engine === 'on' && metersPerSecond > 0

/** Whether the speed of a vehicle is unknown. This concerns only some vehicles, and only while they stand. */
export const hasNoSpeed = (fleet: Fleet, vehicle: number, fix: Fix): boolean =>
  fleet.switches.nanSpeed !== 'never' && vehicle % 13 === 4 && !isDriving(fix)

function toDeviceStatusInfo(
  fleet: Fleet,
  { number, groups, fuel }: Vehicle,
  fix: Fix,
  diagnostics: readonly string[],
): Entity {
  const requested =
    fleet.switches.statusDataInInfo === 'present'
      ? [...readings, ...adjusted].filter(({ diagnostic }) => diagnostics.includes(diagnostic))
      : []
  const reported = requested.filter(
    ({ diagnostic }) =>
      (fuel !== 'electric' || diagnostic !== 'DiagnosticFuelLevelId') &&
      (isAdjusted(fleet, number)
        ? diagnostic !== 'DiagnosticOdometerId'
        : !diagnostic.includes('Adjustment')),
  )
  return {
    bearing: Math.round(fix.headingDegrees) % 360,
    currentStateDuration: '00:00:00',
    dateTime: dateTime(fix.at),
    device: deviceReference(number),
    driver: fleet.driverReference(fix.driver),
    exceptionEvents: [],
    groups: groups.map((group) => ({ id: groupId(group) })),
    isDeviceCommunicating: true,
    isDriving: isDriving(fix),
    isHistoricLastDriver: false,
    latitude: degrees(fix.latitude),
    longitude: degrees(fix.longitude),
    speed: hasNoSpeed(fleet, number, fix) ? 'NaN' : speedOf(fix),
    ...(requested.length > 0
      ? {
          statusData: reported.map(({ diagnostic, value }) => ({
            data: value(fix),
            dateTime: dateTime(fix.at),
            device: deviceReference(number),
            diagnostic: { id: diagnostic },
          })),
        }
      : {}),
  }
}
