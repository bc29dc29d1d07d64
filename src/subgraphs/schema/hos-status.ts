import { registerEnumType } from 'type-graphql'
import { hosStatuses } from '../../providers/normalized-records.ts'

/** The enum of the graph: OFF_DUTY for off_duty, and so on. */
export const HosStatusEnum = Object.fromEntries(hosStatuses.map((status) => [status.toUpperCase(), status]))

registerEnumType(HosStatusEnum, {
  name: 'HosStatus',
  description: 'What a driver is doing, in the words of the hours-of-service rules.',
  valuesConfig: {
    OFF_DUTY: { description: 'Off duty.' },
    SLEEPER_BED: { description: 'Off duty in the sleeper berth.' },
    DRIVING: { description: 'Driving.' },
    ON_DUTY: { description: 'On duty, not driving.' },
    YARD_MOVE: { description: 'Moving the vehicle in a yard: on duty, not driving.' },
    PERSONAL_CONVEYANCE: { description: "Driving for the driver's own purposes: off duty." },
    WAITING_TIME: { description: 'Waiting at a well site: off duty.' },
  },
})
