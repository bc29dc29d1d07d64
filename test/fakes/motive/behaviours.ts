import type { BehaviourTable, Switches } from '../kit/behaviours.ts'
import { requests } from './evidence/requests.ts'
import { timedRecords } from './evidence/timed-records.ts'
import { rosterAndLocations } from './evidence/roster-and-locations.ts'
import { webhooks } from './evidence/webhooks.ts'

/** Behaviours of the fake, with their evidence. They were not compared with the live service. */
export const behaviours = {
  ...requests,
  ...rosterAndLocations,
  ...timedRecords,
  ...webhooks,
} as const satisfies BehaviourTable

export type MotiveSwitches = Switches<typeof behaviours>
