import type { Duty, DutyChange, Ms } from '../../world/truth.ts'
import { versionsAt } from '../stores/timed-record-store.ts'
import type { SearchFields, EntityVersion } from '../stores/version-log.ts'
import { DAY, HOUR, SECOND } from '../times.ts'
import { dateTime, type Entity, longId, userId, versionText } from '../formats.ts'
import { deviceReference, type Fleet } from '../fleet/fleet.ts'
import { reportedPoint } from '../fleet/odd-places.ts'

export const statuses: Readonly<Record<Duty, string>> = {
  off: 'OFF',
  sleeper: 'SB',
  driving: 'D',
  on: 'ON',
  yard: 'YM',
  personal: 'PC',
  waiting: 'WT',
}

const MAX_ARRIVAL_DELAY = 8 * DAY

export const dutyId = ({ number }: DutyChange): string => longId('duty', number)
export const annotationId = ({ number }: DutyChange): string => longId('annotation', number)

/** Logs that do not count: their status is no duty status, or an edit removed them. */
const irregularLogs = [
  { status: 'Login', eventRecordStatus: 1, isIgnored: false },
  { status: 'INT_D', eventRecordStatus: 1, isIgnored: false },
  { status: 'ON', eventRecordStatus: 2, isIgnored: false },
  { status: 'OFF', eventRecordStatus: 1, isIgnored: true },
] as const

export function dutyVersions(fleet: Fleet, since: Ms, until: Ms): EntityVersion[] {
  return changesOf(fleet, since, until).flatMap((change) => {
    const toEntity = (version: number) => toDutyStatusLog(fleet, change, version)
    return [
      ...versionsAt([change.arrivedAt], since, until, dutyId(change), toEntity, searchFieldsOf(change)),
      ...irregularLogVersions(fleet, change, since, until),
      ...mistakeVersions(fleet, change, since, until),
    ]
  })
}

function irregularLogVersions(fleet: Fleet, change: DutyChange, since: Ms, until: Ms): EntityVersion[] {
  const irregular = irregularLogs[change.number % (3 * irregularLogs.length)]
  if (!irregular) return []
  const id = longId('duty', 'noise', change.number)
  const isUnknown = irregular.status === 'INT_D' && fleet.switches.unknownValues === 'some'
  const toIrregular = (version: number): Entity => ({
    ...toDutyStatusLog(fleet, { ...change, remark: null }, version),
    ...irregular,
    ...(isUnknown ? { status: 'NoddingOff' } : {}),
    dateTime: dateTime(change.startedAt + SECOND),
    id,
  })
  const at = change.startedAt + SECOND
  return versionsAt([change.arrivedAt], since, until, id, toIrregular, { ...searchFieldsOf(change), at })
}

/** A duty status that a driver entered by mistake. It is removed at `editedAt`. */
export interface Mistake extends DutyChange {
  readonly editedAt: Ms
}

export function mistakeAfter({ switches }: Fleet, change: DutyChange): Mistake | null {
  if (switches.dutyEdits === 'never' || change.number % 9 !== 4) return null
  const [startedAt, arrivedAt] = [change.startedAt + 97 * SECOND, change.arrivedAt + 97 * SECOND]
  const duty = change.duty === 'on' ? 'off' : 'on'
  return {
    ...change,
    duty,
    startedAt,
    arrivedAt,
    editedAt: arrivedAt + 6 * HOUR,
    codriver: null,
    remark: null,
  }
}

export const mistakeId = ({ number }: DutyChange): string => longId('duty', 'mistake', number)

function mistakeVersions(fleet: Fleet, change: DutyChange, since: Ms, until: Ms): EntityVersion[] {
  const mistake = mistakeAfter(fleet, change)
  if (!mistake) return []
  const { arrivedAt, editedAt } = mistake
  const edited = change.number % 2 === 0 ? { isIgnored: true } : { eventRecordStatus: 2 }
  const toEntity = (version: number): Entity => ({
    ...toDutyStatusLog(fleet, mistake, version),
    ...(editedAt <= until ? { ...edited, editDateTime: dateTime(editedAt) } : {}),
    id: mistakeId(mistake),
  })
  return versionsAt(
    [arrivedAt, editedAt],
    since,
    until,
    mistakeId(mistake),
    toEntity,
    searchFieldsOf(mistake),
  )
}

export function annotationVersions(fleet: Fleet, since: Ms, until: Ms): EntityVersion[] {
  return changesOf(fleet, since, until).flatMap((change) => {
    const id = annotationId(change)
    const toEntity = (version: number): Entity => ({ ...annotationOf(change), version: versionText(version) })
    if (change.remark === null) return []
    return versionsAt([change.arrivedAt], since, until, id, toEntity, searchFieldsOf(change))
  })
}

const searchFieldsOf = ({ driver, startedAt }: DutyChange): SearchFields => ({
  user: userId(driver),
  at: startedAt,
})

/** Returns the duty changes that can arrive in the period. */
function changesOf({ world }: Fleet, since: Ms, until: Ms): DutyChange[] {
  const from = Math.max(world.startsAt, since - MAX_ARRIVAL_DELAY)
  return world.drivers().flatMap(({ number }) => world.dutyChanges(number, from, until + 1))
}

function toDutyStatusLog(fleet: Fleet, change: DutyChange, version: number): Entity {
  const { driver, vehicle, codriver, place, startedAt } = change
  return {
    ...annotationsOf(fleet, change),
    ...(codriver === null ? {} : { coDrivers: [{ id: userId(codriver), isDriver: true }] }),
    ...(place && { location: { location: reportedPoint(fleet, change.number, place) } }),
    dateTime: dateTime(startedAt),
    deferralMinutes: 0,
    deferralStatus: 'None',
    device: vehicle === null ? fleet.sentinel('NoDeviceId') : deviceReference(vehicle),
    driver: { id: userId(driver), isDriver: true },
    editDateTime: dateTime(change.arrivedAt),
    eventCode: 1,
    eventRecordStatus: 1,
    eventType: 1,
    isIgnored: false,
    isTransitioning: false,
    malfunction: 'None',
    origin: change.duty === 'driving' ? 'Automatic' : 'Manual',
    sequence: (change.number % 0x1_00_00).toString(16),
    state: 'Active',
    status: statuses[change.duty],
    version: versionText(version),
    id: dutyId(change),
  }
}

function annotationsOf({ switches }: Fleet, change: DutyChange) {
  if (change.remark === null) return {}
  return {
    annotations: [switches.annotations === 'inline' ? annotationOf(change) : { id: annotationId(change) }],
  }
}

const annotationOf = (change: DutyChange) => ({
  comment: change.remark,
  dateTime: dateTime(change.startedAt),
  driver: { id: userId(change.driver), isDriver: true },
  dutyStatusLog: { id: dutyId(change) },
  id: annotationId(change),
})
