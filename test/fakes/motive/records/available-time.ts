import type { FakeRequest } from '../fake-request.ts'
import { id } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { toSeconds } from '../formats.ts'
import { dutyTypeOf } from './duties.ts'

/** `/v1/available_time`: remaining seconds of active drivers. */
export function availableTime(request: FakeRequest): object {
  const wanted = request.ids('user', 'driver_ids')
  const drivers = request.company
    .drivers()
    .filter(({ number, isActive }) => isActive && (wanted?.has(number) ?? true))
  return pageOf(request, { list: 'users', item: 'user' }, drivers, ({ number, firstName, lastName }) => {
    const clocks = request.company.world.clocks(number)
    return {
      id: id('user', number),
      first_name: firstName,
      last_name: lastName,
      driver_company_id: null,
      ...(request.is('dutyBesideTime', 'sent') && { duty_status: dutyTypeOf(request, clocks.duty) }),
      available_time: {
        drive: toSeconds(clocks.driveMilliseconds),
        shift: toSeconds(clocks.shiftMilliseconds),
        cycle: toSeconds(clocks.cycleMilliseconds),
        break: toSeconds(clocks.breakMilliseconds),
      },
    }
  })
}
