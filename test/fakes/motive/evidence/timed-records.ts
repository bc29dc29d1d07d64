import type { BehaviourTable } from '../../kit/behaviours.ts'
import { CLIENTS, DOCS_2017, FORUM, GUIDES, REFERENCE, UNCHECKED } from './sources.ts'

export const timedRecords = {
  drivingUnits: { mark: 'V', does: 'a driving period is in kilometers and seconds', source: REFERENCE },
  drivingRuns: {
    mark: 'I',
    does: 'whether a running driving period is listed, as in_progress and without an end',
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
    does: 'whether a driving period that began before the requested time is listed',
    source: CLIENTS,
    positions: ['begun', 'overlapping'],
  },
  drivingKilometers: {
    mark: 'I',
    does: 'whether the odometers of a driving period are rounded to kilometers',
    source: REFERENCE,
    positions: ['fractions', 'whole'],
  },
  drivingOdometers: {
    mark: 'I',
    does: 'whether every driving period has odometers',
    source: CLIENTS,
    positions: ['sent', 'sometimes_null'],
  },
  drivingEnds: {
    mark: 'I',
    does: 'whether origin and destination have coordinates',
    source: CLIENTS,
    positions: ['sent', 'left_out'],
  },
  logDates: { mark: 'V', does: 'the date of a log is in the zone of its driver', source: DOCS_2017 },
  undatedLogs: {
    mark: 'K',
    does: 'which logs are listed without dates',
    source: UNCHECKED,
    positions: ['today', 'all'],
  },
  eventEnds: {
    mark: 'I',
    does: 'whether the events of a log are cut at the limits of its day',
    source: DOCS_2017,
    positions: ['cut', 'whole'],
  },
  openEvent: {
    mark: 'K',
    does: 'end of the current event',
    source: UNCHECKED,
    positions: ['null', 'now'],
  },
  specialDuties: {
    mark: 'I',
    does: 'whether yard moves and personal conveyance have their own types',
    source: CLIENTS,
    positions: ['own_words', 'as_others'],
  },
  notes: {
    mark: 'I',
    does: 'whether notes are in remarks or in events',
    source: DOCS_2017,
    positions: ['in_remarks', 'in_events'],
  },
  hosSeconds: { mark: 'V', does: 'durations and available times are seconds', source: DOCS_2017 },
  dutyBesideTime: {
    mark: 'I',
    does: 'whether available times include the duty status',
    source: DOCS_2017,
    positions: ['sent', 'left_out'],
  },
  eventUnits: {
    mark: 'V',
    does: 'events have km/h and g, whatever the units of the vehicle',
    source: GUIDES,
  },
  acceleration: {
    mark: 'K',
    does: 'whether braking has a negative sign',
    source: UNCHECKED,
    positions: ['signed', 'absolute'],
  },
  coordinates: {
    mark: 'I',
    does: 'whether the position of an event has numbers or texts',
    source: GUIDES,
    positions: ['numbers', 'texts'],
  },
  eventTypes: {
    mark: 'I',
    does: 'whether events have unknown types',
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
    does: 'whether faults include other networks, such as j1587, with another meaning of numbers',
    source: REFERENCE,
    positions: ['known', 'others'],
  },
  fmi: { mark: 'I', does: 'type of an fmi', source: REFERENCE, positions: ['text', 'number'] },
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
    does: 'names of the dates of /v2/vehicle_utilization',
    source: `${FORUM}; the reference says start_date`,
    positions: ['start_at', 'start_date'],
  },
  iftaDistance: {
    mark: 'I',
    does: 'whether a distance is a text, as documented, or a number, as in the sample',
    source: REFERENCE,
    positions: ['text', 'number'],
  },
} as const satisfies BehaviourTable
