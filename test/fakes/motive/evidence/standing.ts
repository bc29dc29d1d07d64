import type { Ledger } from '../../kit/behaviours.ts'
import { CLIENTS, DOCS_2017, GUIDES, REFERENCE, UNCHECKED } from './sources.ts'

/** The roster, and where it is. */
export const standing = {
  ids: { mark: 'V', does: 'ids are integers, those of locations UUIDs', source: DOCS_2017 },
  times: {
    mark: 'V',
    does: 'times are whole seconds of UTC; updated_at of users has microseconds',
    source: DOCS_2017,
  },
  years: {
    mark: 'V',
    does: 'a year is a text, and empty where nobody entered it',
    source: GUIDES,
  },
  deactivated: { mark: 'V', does: 'lists hold deactivated ones too', source: DOCS_2017 },
  dotIds: {
    mark: 'I',
    does: 'whether a company tells its DOT numbers',
    source: REFERENCE,
    positions: ['told', 'none'],
  },
  groupIds: {
    mark: 'I',
    does: 'whether vehicles and users tell their groups; membership is listed by group',
    source: CLIENTS,
    positions: ['left_out', 'told'],
  },
  electricFuel: {
    mark: 'I',
    does: 'what the fuel of an electric vehicle is: the list of 2017 has no word for it',
    source: CLIENTS,
    positions: ['electric', 'other'],
  },
  assetPlace: {
    mark: 'K',
    does: 'what the place of an asset is called',
    source: UNCHECKED,
    positions: ['last_location', 'current_location'],
  },
  nowhere: { mark: 'V', does: 'current_location and current_driver may be null', source: REFERENCE },
  fuelUsed: {
    mark: 'V',
    does: 'fuel is what was used so far, fuel_primary_remaining_percentage what is left',
    source: DOCS_2017,
  },
  trueCounters: {
    mark: 'V',
    does: 'odometer and engine_hours are virtual; true_odometer and true_engine_hours differ or are null',
    source: REFERENCE,
  },
  latestUnits: {
    mark: 'I',
    does: 'whether a vehicle tells its units beside its place',
    source: DOCS_2017,
    positions: ['left_out', 'told'],
  },
  historyWindow: { mark: 'V', does: 'a history is of three months at most', source: REFERENCE },
  historyNames: {
    mark: 'I',
    does: 'what the third version of a history is called',
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
    does: 'breadcrumb, vehicle_moving, vehicle_stopped, engine_stop, and words that nobody knows',
    source: CLIENTS,
    positions: ['known', 'new_ones'],
  },
  badPlaces: {
    mark: 'I',
    does: 'whether places are told that cannot be: latitude 123, longitude 456',
    source: DOCS_2017,
    positions: ['none', 'some'],
  },
  nullIsland: {
    mark: 'K',
    does: 'whether a gateway that does not know where it is tells 0, 0, also of driving and of events',
    source: UNCHECKED,
    positions: ['never', 'now_and_then'],
  },
} as const satisfies Ledger
