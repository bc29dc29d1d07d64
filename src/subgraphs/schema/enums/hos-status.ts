import { registerEnumType } from 'type-graphql'
import { hosStatuses } from '../../../domain/models/hos-log.ts'

/** Stored statuses by GraphQL enum value: `OFF_DUTY` stands for `off_duty`. */
export const HosStatusEnum = Object.fromEntries(hosStatuses.map((status) => [status.toUpperCase(), status]))

registerEnumType(HosStatusEnum, {
  name: 'HosStatus',
  description: 'Duty status of a driver under the hours-of-service rules.',
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
