import type { Asked } from '../asked.ts'
import { id } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { toSeconds } from '../wording.ts'
import { dutyWord } from './duties.ts'

/** `/v1/available_time`: what is left to those who drive now, in seconds. */
export function availableTime(asked: Asked): object {
  const wanted = asked.ids('user', 'driver_ids')
  const drivers = asked.company
    .drivers()
    .filter(({ number, isActive }) => isActive && (wanted?.has(number) ?? true))
  return pageOf(asked, { list: 'users', item: 'user' }, drivers, ({ number, firstName, lastName }) => {
    const clocks = asked.company.world.clocks(number)
    return {
      id: id('user', number),
      first_name: firstName,
      last_name: lastName,
      driver_company_id: null,
      ...(asked.is('dutyBesideTime', 'told') && { duty_status: dutyWord(asked, clocks.duty) }),
      available_time: {
        drive: toSeconds(clocks.driveMilliseconds),
        shift: toSeconds(clocks.shiftMilliseconds),
        cycle: toSeconds(clocks.cycleMilliseconds),
        break: toSeconds(clocks.breakMilliseconds),
      },
    }
  })
}
