import type { Ledger } from '../../kit/behaviours.ts'
import { CLIENTS, DOCS_2017, FORUM, GUIDES, REFERENCE, UNCHECKED } from './sources.ts'

/** What happens, and what it comes to. */
export const happening = {
  drivingUnits: { mark: 'V', does: 'a driving period is in kilometers and seconds', source: REFERENCE },
  drivingRuns: {
    mark: 'I',
    does: 'whether one that runs is told, as in_progress and without any end',
    source: CLIENTS,
    positions: ['in_progress', 'left_out'],
  },
  drivingWindow: {
    mark: 'I',
    does: 'whether driving periods of more than thirty days are refused',
    source: FORUM,
    positions: ['30_days', 'none'],
  },
  drivingMatch: {
    mark: 'I',
    does: 'whether one that began earlier is told',
    source: CLIENTS,
    positions: ['begun', 'overlapping'],
  },
  drivingKilometers: {
    mark: 'I',
    does: 'whether the odometers of a driving period are whole',
    source: REFERENCE,
    positions: ['fractions', 'whole'],
  },
  drivingOdometers: {
    mark: 'I',
    does: 'whether odometers are always read',
    source: CLIENTS,
    positions: ['told', 'sometimes_null'],
  },
  drivingEnds: {
    mark: 'I',
    does: 'whether origin and destination have coordinates',
    source: CLIENTS,
    positions: ['told', 'left_out'],
  },
  logDates: { mark: 'V', does: 'the date of a log is of the zone of its driver', source: DOCS_2017 },
  undatedLogs: {
    mark: 'K',
    does: 'which logs are listed without dates',
    source: UNCHECKED,
    positions: ['today', 'all'],
  },
  eventEnds: {
    mark: 'I',
    does: 'whether the events of a log are cut at the ends of its day',
    source: DOCS_2017,
    positions: ['cut', 'whole'],
  },
  openEvent: {
    mark: 'K',
    does: 'when the event ends that lasts',
    source: UNCHECKED,
    positions: ['null', 'now'],
  },
  specialDuties: {
    mark: 'I',
    does: 'whether moves in a yard and private ones have words of their own',
    source: CLIENTS,
    positions: ['own_words', 'as_others'],
  },
  notes: {
    mark: 'I',
    does: 'whether notes stand in remarks or in events',
    source: DOCS_2017,
    positions: ['in_remarks', 'in_events'],
  },
  hosSeconds: { mark: 'V', does: 'durations and available times are seconds', source: DOCS_2017 },
  dutyBesideTime: {
    mark: 'I',
    does: 'whether available times tell the duty status',
    source: DOCS_2017,
    positions: ['told', 'left_out'],
  },
  eventUnits: {
    mark: 'V',
    does: 'events tell km/h and g, whatever the units of the vehicle',
    source: GUIDES,
  },
  acceleration: {
    mark: 'K',
    does: 'whether what slows down has a sign',
    source: UNCHECKED,
    positions: ['signed', 'absolute'],
  },
  coordinates: {
    mark: 'I',
    does: 'whether an event tells its place in numbers or texts',
    source: GUIDES,
    positions: ['numbers', 'texts'],
  },
  eventTypes: {
    mark: 'I',
    does: 'whether events have types that nobody knows',
    source: REFERENCE,
    positions: ['known', 'new_ones'],
  },
  cameras: {
    mark: 'I',
    does: 'whether events were filmed',
    source: GUIDES,
    positions: ['none', 'some'],
  },
  faultCodes: { mark: 'V', does: 'a fault is open or closed, and keeps its id', source: GUIDES },
  faultNetworks: {
    mark: 'I',
    does: 'whether faults are told of other networks, such as j1587, whose numbers mean something else',
    source: REFERENCE,
    positions: ['known', 'others'],
  },
  fmi: { mark: 'I', does: 'what an fmi is', source: REFERENCE, positions: ['text', 'number'] },
  rollupZone: {
    mark: 'V',
    does: 'utilization and IFTA count by days of the zone of the company, not of X-Time-Zone',
    source: REFERENCE,
  },
  unknownRows: {
    mark: 'V',
    does: 'a row of utilization with a message is unknown, not zero',
    source: REFERENCE,
  },
  utilizationDates: {
    mark: 'I',
    does: 'what the dates of /v2/vehicle_utilization are called',
    source: `${FORUM}; the reference says start_date`,
    positions: ['start_at', 'start_date'],
  },
  iftaDistance: {
    mark: 'I',
    does: 'whether a distance is a text, as documented, or a number, as in the sample',
    source: REFERENCE,
    positions: ['text', 'number'],
  },
} as const satisfies Ledger
