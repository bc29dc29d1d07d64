import { type Evidence, document, samples } from './sources.ts'

export const formats = {
  // Formats.
  times: {
    mark: 'V',
    does: 'Times are RFC 3339, sometimes with milliseconds or an offset.',
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
    does: 'Speeds and headings of trailers, and the km/h of safety events, are integers.',
    source: document,
  },
  badFixes: {
    mark: 'V',
    does: 'A position may be invalid: an example has latitude 122.142.',
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
    does: 'A phone number is ten digits without a country code.',
    source: samples,
    positions: ['national', 'e164'],
  },
  externalIds: { mark: 'V', does: 'Vehicles in HOS logs have the key ExternalIds.', source: document },
  textMs: {
    mark: 'V',
    does: '`startMs` and `endMs` of safety events are RFC 3339 texts.',
    source: document,
  },
  ptoState: {
    mark: 'I',
    does: 'An idling event has one PTO state; the enum of the document joins both states in one value.',
    source: document,
    fixed: 'the validation of responses corrects the enum',
  },
  emptyLists: {
    mark: 'I',
    does: 'An optional list may be omitted if it is empty.',
    source: document,
    positions: ['sent', 'omitted'],
  },
  // Rosters.
  updatedAfter: {
    mark: 'V',
    does: 'Lists of vehicles and drivers take updatedAfterTime and createdAfterTime.',
    source: document,
  },
  untimedVehicle: { mark: 'V', does: 'One vehicle by its id has no times.', source: document },
  activeDrivers: {
    mark: 'V',
    does: 'Lists of drivers have active ones, unless deactivated ones are requested.',
    source: document,
  },
  removal: {
    mark: 'I',
    does: 'A removed member is no longer listed; there is no other signal.',
    source: document,
    fixed: 'no signal is in the document',
  },
  idleVehicles: {
    mark: 'I',
    does: 'An unused vehicle is listed like any other.',
    source: 'no status is in the document',
    fixed: 'no member could show it',
  },
  energyTypes: {
    mark: 'I',
    does: 'Reports call an electric vehicle electric.',
    source: document,
    positions: ['sent', 'fuel'],
  },
} as const satisfies Evidence
