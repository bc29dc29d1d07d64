import { happenings } from './evidence/happenings.ts'
import { protocol } from './evidence/protocol.ts'
import { reading } from './evidence/reading.ts'
import { vehiclesAndPeople } from './evidence/vehicles-and-people.ts'

/** Everything that the fake does, how well it is known and from where. What is not verified is a switch. */
export const behaviours = { ...protocol, ...reading, ...vehiclesAndPeople, ...happenings } as const
