import { timedRecords } from './evidence/timed-records.ts'
import { protocol } from './evidence/protocol.ts'
import { reading } from './evidence/reading.ts'
import { vehiclesAndPeople } from './evidence/vehicles-and-people.ts'

/** Behaviours of the fake, with their evidence. */
export const behaviours = { ...protocol, ...reading, ...vehiclesAndPeople, ...timedRecords } as const
