import type { Driver, Duty, DutyChange } from '../../world/truth.ts'
import type { Switches } from '../behaviours.ts'
import { listed, timeIn, type FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import type { Organization } from '../organization.ts'
import { pageOf } from '../http/pages.ts'
import { nameOf } from '../roster/drivers.ts'
import { MILLISECONDS_PER_DAY, toList, toPlace, toTime } from '../formats.ts'

/** Samsara has no status for waiting. */
export const hosStatusTypes: Readonly<Record<Duty, string>> = {
  off: 'offDuty',
  sleeper: 'sleeperBed',
  driving: 'driving',
  on: 'onDuty',
  yard: 'yardMove',
  personal: 'personalConveyance',
  waiting: 'onDuty',
}

const UNKNOWN_EVERY = 7
const UNKNOWN_STATUS = 'loading'

/** Returns the status of a log. Depending on a switch, some logs have an unknown one. */
export const hosStatusTypeOf = ({ duty, number }: DutyChange, { unknownDuties }: Switches): string =>
  unknownDuties === 'yes' && number % UNKNOWN_EVERY === 0 ? UNKNOWN_STATUS : hosStatusTypes[duty]

export const dutiesOf = ({ world, now }: Organization, driver: number): readonly DutyChange[] =>
  world.dutyChanges(driver, world.startsAt, now + 1)

/** `/fleet/hos/logs`: logs nested by driver; by default of the last 24 hours. */
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
  const [vehicle, codriverMember] = [
    duty.vehicle === null ? undefined : organization.vehicle(duty.vehicle),
    codriver === null ? undefined : organization.driver(codriver),
  ]
  const end = endedAt ?? (switches.openLog === 'future' ? organization.now + MILLISECONDS_PER_DAY : null)
  return {
    hosStatusType: hosStatusTypeOf(duty, switches),
    logStartTime: toTime(startedAt, switches),
    ...(end !== null && { logEndTime: toTime(end, switches) }),
    ...(place && { logRecordedLocation: toPlace(place) }),
    ...(remark !== null && { remark }),
    ...(duty.vehicle !== null && { vehicle: toVehicle(duty.vehicle, vehicle?.name) }),
    codrivers: codriver === null ? [] : [toCodriver(codriver, codriverMember)],
  }
}

/** Samsara really writes `ExternalIds` with a capital here. */
const toVehicle = (vehicle: number, name = '') => ({ id: id('vehicle', vehicle), name, ExternalIds: {} })

const toCodriver = (number: number, driver: Driver | undefined) => ({
  id: id('driver', number),
  name: driver ? nameOf(driver) : '',
})
