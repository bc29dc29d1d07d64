import type { BehaviourTable, Switches } from '../kit/behaviours.ts'
import { asking } from './evidence/requests.ts'
import { timedRecords } from './evidence/timed-records.ts'
import { standing } from './evidence/standing.ts'
import { telling } from './evidence/telling.ts'

/** Behaviours of this fake with their evidence. They were never compared with the live service. */
export const behaviours = {
  ...asking,
  ...standing,
  ...timedRecords,
  ...telling,
} as const satisfies BehaviourTable

export type MotiveSwitches = Switches<typeof behaviours>
