import { z } from 'zod'
import type { ProviderApi } from '../../../provider-api.ts'
import { validate } from '../../../mapping/validate.ts'
import type { NormalizedHosAvailableTime } from '../../../normalized-records.ts'
import type { Reader } from '../../../provider.ts'
import { getForEach } from '../../api-calls.ts'
import { id, reference, timespan } from '../../schema-types.ts'
import { log, statusOf } from './duty-schema.ts'
import { currentStatuses } from './duty-statuses.ts'
import { driversAfter } from '../drivers.ts'
import { lifecycleEnd, lifecycleFields } from '../lifecycle.ts'

const availability = z.looseObject({
  driver: reference,
  driving: timespan,
  workday: timespan,
  duty: timespan,
  cycle: timespan,
  rest: timespan,
})

/** What is left of a driver's hours, with the status that the driver is in. */
const joinedAvailability = z.object({ availability, dutyStatusLog: log.nullable() })

/** Two calls' worth: what a page has need not be asked for again where the budget ends after it. */
const AT_ONCE = 100

export const availableTimeReader: Reader<NormalizedHosAvailableTime> = {
  mode: 'full',
  schema: 'DutyStatusAvailability',
  async read(api, state, { to }) {
    const { drivers, next } = await driversAfter(api, state, AT_ONCE)
    const active = drivers.flatMap((one) => activeIn(one, to))
    return { records: await availabilitiesOf(api, active, to), next }
  },
  normalize(record) {
    const { availability: left, dutyStatusLog } = validate(joinedAvailability, record)
    return {
      driverSourceId: left.driver,
      currentStatus: dutyStatusLog && statusOf(dutyStatusLog),
      cycleMilliseconds: left.cycle,
      shiftMilliseconds: sooner(left.workday, left.duty),
      driveMilliseconds: left.driving,
      breakMilliseconds: left.rest,
    }
  },
}

/** The shift ends with the workday or the duty, whichever ends first. */
const sooner = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

const driver = z.looseObject({ id, ...lifecycleFields })

function activeIn(record: unknown, now: number): string[] {
  const { data } = driver.safeParse(record)
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
