import { type Evidence, document, samples } from './sources.ts'

/** Words, units and rosters. */
export const wording = {
  // Words.
  times: {
    mark: 'V',
    does: 'Times are RFC 3339, now and then with milliseconds or an offset.',
    source: samples,
    positions: ['utc', 'offset'],
  },
  speeds: {
    mark: 'V',
    does: 'Speeds are mph in stats and locations, km/h in safety and speeding.',
    source: document,
  },
  wholeSpeeds: {
    mark: 'V',
    does: 'Speeds and headings of trailers, and the km/h of safety events, are whole numbers.',
    source: document,
  },
  badFixes: {
    mark: 'V',
    does: 'A place may be impossible: an example has latitude 122.142.',
    source: samples,
    positions: ['none', 'latitude', 'null-island'],
  },
  yearAndPlate: {
    mark: 'V',
    does: 'The year of a vehicle is a string; a plate has no state.',
    source: document,
  },
  phones: {
    mark: 'I',
    does: 'A phone is ten digits without a country.',
    source: samples,
    positions: ['national', 'e164'],
  },
  externalIds: { mark: 'V', does: 'Vehicles in HOS logs have the key ExternalIds.', source: document },
  textMs: {
    mark: 'V',
    does: '`startMs` and `endMs` of safety events are texts in RFC 3339.',
    source: document,
  },
  ptoState: {
    mark: 'I',
    does: 'Idling events know a pto state of one word; the document has both words in one.',
    source: document,
    fixed: 'the check of the document is relaxed there',
  },
  emptyLists: {
    mark: 'I',
    does: 'A list that the document does not require may be left out where it is empty.',
    source: document,
    positions: ['told', 'omitted'],
  },
  // Rosters.
  updatedAfter: {
    mark: 'V',
    does: 'Vehicles and drivers are asked for by updatedAfterTime and createdAfterTime.',
    source: document,
  },
  untimedVehicle: { mark: 'V', does: 'One vehicle by its id is told without its times.', source: document },
  activeDrivers: {
    mark: 'V',
    does: 'Drivers are the active ones unless the deactivated are asked for.',
    source: document,
  },
  removal: {
    mark: 'I',
    does: 'What is removed is listed no more; there is no other sign.',
    source: document,
    fixed: 'no signal is in the document',
  },
  idleVehicles: {
    mark: 'I',
    does: 'A vehicle that is not in use is listed like any other.',
    source: 'no status is in the document',
    fixed: 'no word could tell it',
  },
  energyTypes: {
    mark: 'I',
    does: 'Reports call an electric vehicle electric.',
    source: document,
    positions: ['told', 'fuel'],
  },
} as const satisfies Evidence
