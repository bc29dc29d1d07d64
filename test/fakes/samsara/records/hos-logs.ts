import type { Driver, Duty, DutyChange } from '../../world/truth.ts'
import type { Switches } from '../behaviours.ts'
import { listed, timeIn, type Asked } from '../call.ts'
import { id } from '../ids.ts'
import type { Organization } from '../organization.ts'
import { pageOf } from '../pages.ts'
import { nameOf } from '../roster/drivers.ts'
import { MILLISECONDS_PER_DAY, toList, toPlace, toTime } from '../wording.ts'

/** Waiting has no word of its own in logs. */
export const hosWords: Readonly<Record<Duty, string>> = {
  off: 'offDuty',
  sleeper: 'sleeperBed',
  driving: 'driving',
  on: 'onDuty',
  yard: 'yardMove',
  personal: 'personalConveyance',
  waiting: 'onDuty',
}

const EVERY = 7
const UNKNOWN_WORD = 'loading'

/** The word of a log; now and then one that nobody knows, if the switch says so. */
export const dutyWordOf = ({ duty, number }: DutyChange, { unknownDuties }: Switches): string =>
  unknownDuties === 'yes' && number % EVERY === 0 ? UNKNOWN_WORD : hosWords[duty]

/** All duty changes of a driver that are told until now. */
export const dutiesOf = ({ world, now }: Organization, driver: number): readonly DutyChange[] =>
  world.dutyChanges(driver, world.startsAt, now + 1)

/** `/fleet/hos/logs`: the logs of each driver, nested; by itself those of the last 24 hours. */
export function hosLogs(asked: Asked): object {
  const { organization, query, switches } = asked
  const to = timeIn(query, 'endTime') ?? organization.now + 1
  const from = timeIn(query, 'startTime') ?? to - MILLISECONDS_PER_DAY
  const drivers = organization.driversOf(listed(query, 'driverIds'))
  const { items, pagination } = pageOf(asked, drivers, ({ number }) => [number], Number(switches.pageSize))
  const isWanted = ({ startedAt, endedAt }: DutyChange) =>
    startedAt < to && (switches.hosLogs === 'begun' ? startedAt >= from : (endedAt ?? Infinity) > from)
  const data = items.map((driver) => ({
    driver: { id: id('driver', driver.number), name: nameOf(driver) },
    ...toList(
      'hosLogs',
      dutiesOf(organization, driver.number)
        .filter(isWanted)
        .map((duty) => toHosLog(asked, duty)),
      switches,
    ),
  }))
  return { data, pagination }
}

function toHosLog({ organization, switches }: Asked, duty: DutyChange): object {
  const { startedAt, endedAt, place, remark, codriver } = duty
  const [vehicle, mate] = [
    duty.vehicle === null ? undefined : organization.vehicle(duty.vehicle),
    codriver === null ? undefined : organization.driver(codriver),
  ]
  const end = endedAt ?? (switches.openLog === 'future' ? organization.now + MILLISECONDS_PER_DAY : null)
  return {
    hosStatusType: dutyWordOf(duty, switches),
    logStartTime: toTime(startedAt, switches),
    ...(end !== null && { logEndTime: toTime(end, switches) }),
    ...(place && { logRecordedLocation: toPlace(place) }),
    ...(remark !== null && { remark }),
    ...(duty.vehicle !== null && { vehicle: toNamed(duty.vehicle, vehicle?.name) }),
    codrivers: codriver === null ? [] : [toCodriver(codriver, mate)],
  }
}

/** The one key of Samsara's that begins with a capital. */
const toNamed = (vehicle: number, name = '') => ({ id: id('vehicle', vehicle), name, ExternalIds: {} })

const toCodriver = (number: number, driver: Driver | undefined) => ({
  id: id('driver', number),
  name: driver ? nameOf(driver) : '',
})
