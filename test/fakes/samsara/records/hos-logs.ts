import type { Driver, Duty, DutyChange } from '../../world/truth.ts'
import type { Switches } from '../behaviours.ts'
import { listed, timeIn, type FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import type { Organization } from '../organization.ts'
import { pageOf } from '../http/pages.ts'
import { nameOf } from '../roster/drivers.ts'
import { MILLISECONDS_PER_DAY, toList, toPlace, toTime } from '../formats.ts'

/** Logs have no word for waiting. */
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

/** Returns the word of a log; sometimes an unknown one, if the switch is on. */
export const dutyWordOf = ({ duty, number }: DutyChange, { unknownDuties }: Switches): string =>
  unknownDuties === 'yes' && number % EVERY === 0 ? UNKNOWN_WORD : hosWords[duty]

/** Returns all arrived duty changes of a driver. */
export const dutiesOf = ({ world, now }: Organization, driver: number): readonly DutyChange[] =>
  world.dutyChanges(driver, world.startsAt, now + 1)

/** `/fleet/hos/logs`: nested logs of each driver; by default of the last 24 hours. */
export function hosLogs(request: FakeRequest): object {
  const { organization, query, switches } = request
  const to = timeIn(query, 'endTime') ?? organization.now + 1
  const from = timeIn(query, 'startTime') ?? to - MILLISECONDS_PER_DAY
  const drivers = organization.driversOf(listed(query, 'driverIds'))
  const { items, pagination } = pageOf(request, drivers, ({ number }) => [number], Number(switches.pageSize))
  const isWanted = ({ startedAt, endedAt }: DutyChange) =>
    startedAt < to && (switches.hosLogs === 'begun' ? startedAt >= from : (endedAt ?? Infinity) > from)
  const data = items.map((driver) => ({
    driver: { id: id('driver', driver.number), name: nameOf(driver) },
    ...toList(
      'hosLogs',
      dutiesOf(organization, driver.number)
        .filter(isWanted)
        .map((duty) => toHosLog(request, duty)),
      switches,
    ),
  }))
  return { data, pagination }
}

function toHosLog({ organization, switches }: FakeRequest, duty: DutyChange): object {
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

/** The only key of Samsara that starts with a capital. */
const toNamed = (vehicle: number, name = '') => ({ id: id('vehicle', vehicle), name, ExternalIds: {} })

const toCodriver = (number: number, driver: Driver | undefined) => ({
  id: id('driver', number),
  name: driver ? nameOf(driver) : '',
})
