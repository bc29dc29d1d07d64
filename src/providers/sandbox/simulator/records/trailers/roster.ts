import { DAY_MS } from '../../world/durations.ts'
import { type Fleet, removedCount, WORLD_START_MS } from '../../world/fleet.ts'
import { between, dice, digits, pick } from '../../world/random.ts'
import { terminalOf } from '../../world/road-network/terminals.ts'
import { groupIdsOf } from '../groups.ts'
import { idOf } from '../ids.ts'
import { editTimes, removedMsOf, type Roster } from '../roster.ts'
import { vinOf } from '../vin.ts'
import type { World } from '../world.ts'

export interface TrailerRecord {
  id: string
  status: 'active' | 'inactive'
  name: string
  vin: string
  serialNumber: string | null
  make: string
  model: string
  year: number
  groupIds: string[]
  licensePlate: { state: string; number: string } | null
  removedAt: string | null
  createdAt: string
  updatedAt: string
}

const MODELS = [
  { make: 'Great Dane', model: 'Champion dry van', wmi: '1GR' },
  { make: 'Utility', model: '3000R reefer', wmi: '1UY' },
  { make: 'Wabash', model: 'DuraPlate dry van', wmi: '1JJ' },
  { make: 'Hyundai Translead', model: 'Composite dry van', wmi: '3H3' },
  { make: 'Fontaine', model: 'Revolution flatbed', wmi: '13N' },
]
const YEARS = [2014, 2015, 2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023]

const modelDice = dice('model of a trailer')
const yearDice = dice('year of a trailer')
const vinDice = dice('vin of a trailer')
const plateDice = dice('plate of a trailer')
const ageDice = dice('age of a trailer')
const editDice = dice('last edit of a trailer')

export const trailers: Roster<TrailerRecord> = {
  resource: 'trailers',
  count: (fleet) => trailerCount(fleet) + removedCount(fleet),
  record: trailerRecord,
  renamed: (trailer) => ({ ...trailer, name: `${trailer.name} (renamed)` }),
}

/** Returns the number of trailers: four for every five vehicles, because vans pull none. */
export function trailerCount({ size }: Fleet): number {
  return Math.ceil((4 * size) / 5)
}

function trailerRecord({ fleet }: World, index: number): TrailerRecord {
  const { seed } = fleet
  const { make, model, wmi } = pick(MODELS, modelDice(seed, index))
  const year = pick(YEARS, yearDice(seed, index))
  const createdMs = WORLD_START_MS - between(20, 2000, ageDice(seed, index)) * DAY_MS
  return {
    id: idOf('trl', fleet, index),
    status: index % 20 === 13 ? 'inactive' : 'active',
    name: `Trailer ${5001 + index}`,
    vin: vinOf({ wmi, descriptor: vinDice(seed, index), year, serial: index }),
    serialNumber: index % 7 === 4 ? null : `${wmi}-${digits(6, vinDice(seed, index, 1))}`,
    make,
    model,
    year,
    groupIds: groupIdsOf(fleet, index),
    licensePlate: plateDice(seed, index) < 0.95 ? licensePlate(fleet, index) : null,
    ...editTimes(
      createdMs,
      removedMsOf('trailers', fleet, index, trailerCount(fleet)),
      editDice(seed, index),
    ),
  }
}

function licensePlate(fleet: Fleet, index: number) {
  const number = `T${digits(6, plateDice(fleet.seed, index, 1))}`
  return { state: terminalOf(fleet, index).place.state, number }
}
