import type { BehaviourTable } from '../../kit/behaviours.ts'
import { CLIENTS, DOCS_2017, GUIDES, REFERENCE, UNCHECKED } from './sources.ts'

export const rosterAndLocations = {
  ids: { mark: 'V', does: 'ids are integers, those of locations UUIDs', source: DOCS_2017 },
  times: {
    mark: 'V',
    does: 'times are whole seconds of UTC; updated_at of users has microseconds',
    source: DOCS_2017,
  },
  years: {
    mark: 'V',
    does: 'a year is a text, and empty if unknown',
    source: GUIDES,
  },
  deactivated: { mark: 'V', does: 'lists include deactivated vehicles and users', source: DOCS_2017 },
  dotIds: {
    mark: 'I',
    does: 'whether a company includes its DOT numbers',
    source: REFERENCE,
    positions: ['sent', 'none'],
  },
  groupIds: {
    mark: 'I',
    does: 'whether vehicles and users include their groups; a group always lists its members',
    source: CLIENTS,
    positions: ['left_out', 'sent'],
  },
  electricFuel: {
    mark: 'I',
    does: 'fuel type of an electric vehicle: the list of 2017 has none',
    source: CLIENTS,
    positions: ['electric', 'other'],
  },
  assetPlace: {
    mark: 'K',
    does: "name of an asset's position",
    source: UNCHECKED,
    positions: ['last_location', 'current_location'],
  },
  nowhere: { mark: 'V', does: 'current_location and current_driver may be null', source: REFERENCE },
  fuelUsed: {
    mark: 'V',
    does: 'fuel is the total consumption, fuel_primary_remaining_percentage the level of the tank',
    source: DOCS_2017,
  },
  trueCounters: {
    mark: 'V',
    does: 'odometer and engine_hours are counted by the device; true_odometer and true_engine_hours are read from the vehicle, or null',
    source: REFERENCE,
  },
  latestUnits: {
    mark: 'I',
    does: 'whether a location includes the units of the vehicle',
    source: DOCS_2017,
    positions: ['left_out', 'sent'],
  },
  historyWindow: { mark: 'V', does: 'a history covers three months at most', source: REFERENCE },
  historyNames: {
    mark: 'I',
    does: 'name of the list in the third version of a history',
    source: CLIENTS,
    positions: ['vehicle_locations', 'location_histories'],
  },
  historyPages: {
    mark: 'K',
    does: 'whether a history has pages',
    source: DOCS_2017,
    positions: ['whole', 'pages'],
  },
  locationTypes: {
    mark: 'I',
    does: 'breadcrumb, vehicle_moving, vehicle_stopped, engine_stop, and unknown types',
    source: CLIENTS,
    positions: ['known', 'new_ones'],
  },
  badPlaces: {
    mark: 'I',
    does: 'whether there are invalid positions: latitude 123, longitude 456',
    source: DOCS_2017,
    positions: ['none', 'some'],
  },
  nullIsland: {
    mark: 'K',
    does: 'whether a device without a position sends 0, 0, also for driving periods and events',
    source: UNCHECKED,
    positions: ['never', 'now_and_then'],
  },
} as const satisfies BehaviourTable
