import { z } from 'zod'
import type { ProviderApi } from '../../../provider-api.ts'
import { parseParts } from '../../../mapping/readable-parts.ts'
import { validate } from '../../../mapping/validate.ts'
import type { NormalizedHosAvailableTime } from '../../../../domain/models/hos-available-time.ts'
import type { Reader } from '../../../provider.ts'
import { getForEach } from '../../api-calls.ts'
import { id, reference, timespan } from '../../schema-types.ts'
import { logSchema, dutyStatusOf } from './duty-schema.ts'
import { currentStatuses } from './duty-statuses.ts'
import { driversAfter } from '../drivers.ts'
import { lifecycleEnd, lifecycleFields } from '../lifecycle.ts'

const availabilitySchema = z.looseObject({
  driver: reference,
  driving: timespan,
  workday: timespan,
  duty: timespan,
  cycle: timespan,
  rest: timespan,
})

/** Remaining hours of a driver, with the current duty status. */
const joinedAvailability = z.object({ availability: availabilitySchema, dutyStatusLog: logSchema.nullable() })

/** Drivers per page. A page is small, so that little has to be read again after a rate limit error. */
const DRIVERS_PER_PAGE = 100

export const availableTimeReader: Reader<NormalizedHosAvailableTime> = {
  mode: 'full',
  schema: 'DutyStatusAvailability',
  async read(api, state, { to }) {
    const { drivers, next } = await driversAfter(api, state, DRIVERS_PER_PAGE)
    const active = drivers.flatMap((record) => activeIdIn(record, to))
    return { records: await availabilitiesOf(api, active, to), next }
  },
  normalize(record) {
    const { availability: remaining, dutyStatusLog } = validate(joinedAvailability, record)
    return {
      driverSourceId: remaining.driver,
      currentStatus: dutyStatusLog && dutyStatusOf(dutyStatusLog),
      cycleMilliseconds: remaining.cycle,
      shiftMilliseconds: shorterOf(remaining.workday, remaining.duty),
      driveMilliseconds: remaining.driving,
      breakMilliseconds: remaining.rest,
    }
  },
}

/** The shift ends with the workday or the duty period, whichever ends first. */
const shorterOf = (first: number | null, second: number | null): number | null =>
  first === null || second === null ? (first ?? second) : Math.min(first, second)

const driverSchema = z.looseObject({ id, ...lifecycleFields })

/** Id of a driver that is active; none for any other. */
function activeIdIn(record: unknown, now: number): string[] {
  const data = parseParts(driverSchema, record)
  return data && lifecycleEnd(data, now) === null ? [data.id] : []
}

async function availabilitiesOf(
  api: ProviderApi,
  drivers: readonly string[],
  now: number,
): Promise<unknown[]> {
  const searches = drivers.map((id) => ({ userSearch: { id } }))
  const found = await getForEach(api, 'DutyStatusAvailability', searches)
  const statuses = await currentStatuses(api, drivers, now)
  return drivers.flatMap((id, index) =>
    (found[index] ?? []).map((availability) => ({ availability, dutyStatusLog: statuses.get(id) ?? null })),
  )
}
