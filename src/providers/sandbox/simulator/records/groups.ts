import { type Fleet, removedCount, WORLD_START_MS } from '../world/fleet.ts'
import { DAY_MS } from '../world/durations.ts'
import { between, dice } from '../world/random.ts'
import { terminalAt, terminalCount, terminalOf } from '../world/road-network/terminals.ts'
import { idOf } from './ids.ts'
import { editTimes, removedMsOf, type Roster } from './roster.ts'
import type { World } from './world.ts'

export interface GroupRecord {
  id: string
  name: string
  description: string
  parentId: string | null
  removedAt: string | null
  createdAt: string
  updatedAt: string
}

/** The regions, with the states and provinces of their terminals. */
const REGIONS = [
  { name: 'West', states: 'CA NV UT OR WA ID MT WY CO' },
  { name: 'Southwest', states: 'AZ NM TX OK AR LA' },
  { name: 'Midwest', states: 'NE IA IL IN OH KS MO MN WI MI SD ND' },
  { name: 'Northeast', states: 'PA NJ NY CT RI MA NH ME MD DE' },
  { name: 'Southeast', states: 'TN NC MS AL FL GA SC VA KY WV' },
  { name: 'Canada', states: 'BC AB SK MB ON QC' },
].map(({ name, states }) => ({ name, states: new Set(states.split(' ')) }))

const ageDice = dice('age of a group')
const editDice = dice('last edit of a group')
const secondGroupDice = dice('second group')

/** Groups in order: the company, the regions, the terminals, and one closed terminal. */
export const groups: Roster<GroupRecord> = {
  resource: 'groups',
  count: (fleet) => currentCount(fleet) + Math.min(1, removedCount(fleet)),
  record: groupRecord,
  renamed: (group) => ({ ...group, name: `${group.name} (renamed)` }),
}

const currentCount = (fleet: Fleet): number => 1 + REGIONS.length + terminalCount(fleet)

/**
 * Returns the groups of a vehicle and its driver: the terminal, and for one vehicle in eight also the region.
 */
export function groupIdsOf(fleet: Fleet, vehicle: number): string[] {
  const { index, place } = terminalOf(fleet, vehicle)
  const terminalId = idOf('ter', fleet, index)
  if (secondGroupDice(fleet.seed, vehicle) >= 1 / 8) return [terminalId]
  return [terminalId, idOf('reg', fleet, regionOf(place.state))]
}

function groupRecord({ fleet }: World, index: number): GroupRecord {
  const createdMs = WORLD_START_MS - between(100, 2000, ageDice(fleet.seed, index)) * DAY_MS
  return {
    ...groupFields(fleet, index),
    ...editTimes(
      createdMs,
      removedMsOf('groups', fleet, index, currentCount(fleet)),
      editDice(fleet.seed, index),
    ),
  }
}

function groupFields(fleet: Fleet, index: number) {
  if (index === 0) return companyGroup(fleet)
  const region = REGIONS[index - 1]
  if (!region) return terminalGroup(fleet, index - 1 - REGIONS.length)
  const description = `All terminals of the ${region.name} region`
  return {
    id: idOf('reg', fleet, index - 1),
    name: region.name,
    description,
    parentId: idOf('all', fleet),
  }
}

function companyGroup(fleet: Fleet) {
  const description = 'Everything the company runs'
  return { id: idOf('all', fleet), name: 'All terminals', description, parentId: null }
}

function terminalGroup(fleet: Fleet, terminalIndex: number) {
  const { corridor, place } = terminalAt(fleet, terminalIndex)
  return {
    id: idOf('ter', fleet, terminalIndex),
    name: `${place.city} terminal`,
    description: `${corridor.name}, ${place.city}, ${place.state}`,
    parentId: idOf('reg', fleet, regionOf(place.state)),
  }
}

function regionOf(state: string): number {
  return REGIONS.findIndex(({ states }) => states.has(state))
}
