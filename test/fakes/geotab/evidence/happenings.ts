import type { Ledger } from '../../kit/behaviours.ts'
import { ADAPTER, DOCS, FAULTS, HEARSAY, PROBES, SAMPLES } from './sources.ts'

/** How what happens is told. */
export const happenings = {
  tripId: { mark: 'V', does: 'The id of a trip changes with every update', source: ADAPTER },
  nextTrip: {
    mark: 'I',
    does: 'A trip is updated when the next one begins',
    source: PROBES,
    positions: ['updates', 'unknown'],
  },
  runningTrips: {
    mark: 'K',
    does: 'A running trip is told',
    source: HEARSAY,
    positions: ['hidden', 'shown'],
  },
  tripDeletion: {
    mark: 'K',
    does: 'A trip that was deleted, or computed anew, is told again with deletedDateTime',
    source: HEARSAY,
    positions: ['never', 'told'],
  },
  tripDistance: {
    mark: 'I',
    does: 'Is in kilometers by all sources but one sample, which shows meters',
    source: `${ADAPTER}, ${PROBES}, ${SAMPLES}`,
    positions: ['kilometers', 'meters'],
  },
  tripDurations: {
    mark: 'V',
    does: 'drivingDuration is stop less start; idling is of the stop after',
    source: PROBES,
  },
  tripUnits: { mark: 'V', does: 'engineHours are seconds, the odometer is meters', source: PROBES },
  nanSpeed: {
    mark: 'I',
    does: 'A speed may be not a number (V): as a string, or as no JSON at all',
    source: ADAPTER,
    positions: ['text', 'never', 'bare'],
  },
  statusDataInInfo: {
    mark: 'K',
    does: 'DeviceStatusInfo tells the status data of diagnostics that its search names',
    source: HEARSAY,
    positions: ['present', 'absent'],
  },
  spn: {
    mark: 'V',
    does: 'An SPN is the code of a SuspectParameter, an FMI of a failure mode',
    source: FAULTS,
  },
  troubleCodes: {
    mark: 'I',
    does: 'A trouble code is the letter of the controller and the code in hexadecimal; one rule cannot be another',
    source: FAULTS,
  },
  faultClosing: {
    mark: 'K',
    does: 'A fault that is over changes its record, or has another',
    source: HEARSAY,
    positions: ['updated', 'another'],
  },
  speedingDetails: {
    mark: 'I',
    does: 'A speeding event tells maximum and limit',
    source: HEARSAY,
    positions: ['present', 'absent'],
  },
  eventStates: {
    mark: 'I',
    does: 'An event that was found invalid, or was dismissed, is told again with that state',
    source: `${SAMPLES}, ${HEARSAY}`,
    positions: ['never', 'told'],
  },
  seatBelts: {
    mark: 'I',
    does: 'Who drives without a belt breaks RuleSeatbeltId',
    source: HEARSAY,
    positions: ['none', 'some'],
  },
  dutyNoise: {
    mark: 'V',
    does: 'Logs that are ignored or not of record status 1 do not count',
    source: ADAPTER,
  },
  dutyEdits: {
    mark: 'I',
    does: 'A log that counted is told again when it is edited away: ignored, or of another record status',
    source: ADAPTER,
    positions: ['never', 'some'],
  },
  newWords: {
    mark: 'K',
    does: 'There are statuses, rules and types of diagnostics that no source names',
    source: HEARSAY,
    positions: ['none', 'some'],
  },
  oddRecords: {
    mark: 'I',
    does: 'Some places are 0/0 without a speed (V), or no numbers; some trips stop before they start, or in 2050',
    source: `${ADAPTER}, ${HEARSAY}`,
    positions: ['none', 'some'],
  },
  dutyWords: {
    mark: 'K',
    does: 'D, ON, OFF, SB, YM, PC and WT, among others that are no status',
    source: HEARSAY,
  },
  annotations: {
    mark: 'V',
    does: 'A duty log refers to its annotations; older texts have them inside',
    source: `${PROBES}, ${DOCS}`,
    positions: ['references', 'inline'],
  },
  shift: { mark: 'I', does: 'Workday or duty ends the shift, whichever is shorter', source: DOCS },
  media: {
    mark: 'K',
    does: 'Films tell their device and time, not their event',
    source: PROBES,
    positions: ['none', 'events'],
  },
  fuelTaxUnit: { mark: 'V', does: 'Fuel tax odometers are in kilometers', source: DOCS },
  fuelTaxSearch: {
    mark: 'V',
    does: 'Searches snap to whole hours and cut there, without boundaries',
    source: DOCS,
  },
} as const satisfies Ledger
