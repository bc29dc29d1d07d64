import type { BehaviourTable } from '../../kit/behaviours.ts'
import { ADAPTER, DOCS, FAULTS, HEARSAY, PROBES, SAMPLES } from './sources.ts'

/** Records with a time. */
export const timedRecords = {
  tripId: { mark: 'V', does: 'The id of a trip changes with every update', source: ADAPTER },
  nextTrip: {
    mark: 'I',
    does: 'A trip is updated when the next one begins',
    source: PROBES,
    positions: ['updates', 'unknown'],
  },
  runningTrips: {
    mark: 'K',
    does: 'A running trip is listed',
    source: HEARSAY,
    positions: ['hidden', 'shown'],
  },
  tripDeletion: {
    mark: 'K',
    does: 'A deleted or recomputed trip appears again with deletedDateTime',
    source: HEARSAY,
    positions: ['never', 'sent'],
  },
  tripDistance: {
    mark: 'I',
    does: 'Is in kilometers in all sources but one sample, which has meters',
    source: `${ADAPTER}, ${PROBES}, ${SAMPLES}`,
    positions: ['kilometers', 'meters'],
  },
  tripDurations: {
    mark: 'V',
    does: 'drivingDuration is stop minus start; idling belongs to the stop after it',
    source: PROBES,
  },
  tripUnits: { mark: 'V', does: 'engineHours are seconds, the odometer is meters', source: PROBES },
  nanSpeed: {
    mark: 'I',
    does: 'A speed may be not a number (V): as a string, or as invalid JSON',
    source: ADAPTER,
    positions: ['text', 'never', 'bare'],
  },
  statusDataInInfo: {
    mark: 'K',
    does: 'DeviceStatusInfo has the status data of the diagnostics in its search',
    source: HEARSAY,
    positions: ['present', 'absent'],
  },
  adjustedValues: {
    mark: 'K',
    does: 'The current state has Diagnostic…AdjustmentId; a vehicle whose engine reports no odometer has only that',
    source: HEARSAY,
    positions: ['some', 'none'],
  },
  spn: {
    mark: 'V',
    does: 'An SPN is the code of a SuspectParameter, an FMI of a failure mode',
    source: FAULTS,
  },
  troubleCodes: {
    mark: 'I',
    does: 'A trouble code is the letter of the controller and the code in hexadecimal; each rule is exclusive',
    source: FAULTS,
  },
  faultClosing: {
    mark: 'K',
    does: 'A fault that ends changes its record, or has another',
    source: HEARSAY,
    positions: ['updated', 'another'],
  },
  speedingDetails: {
    mark: 'I',
    does: 'A speeding event has maximum and limit',
    source: HEARSAY,
    positions: ['present', 'absent'],
  },
  eventStates: {
    mark: 'I',
    does: 'An invalid or dismissed event appears again with that state',
    source: `${SAMPLES}, ${HEARSAY}`,
    positions: ['never', 'sent'],
  },
  seatBelts: {
    mark: 'I',
    does: 'Driving without a belt breaks RuleSeatbeltId',
    source: HEARSAY,
    positions: ['none', 'some'],
  },
  dutyNoise: {
    mark: 'V',
    does: 'Ignored logs and logs of a record status other than 1 do not count',
    source: ADAPTER,
  },
  dutyEdits: {
    mark: 'I',
    does: 'A log that is edited away appears again: ignored, or with another record status',
    source: ADAPTER,
    positions: ['never', 'some'],
  },
  newWords: {
    mark: 'K',
    does: 'There are statuses, rules and types of diagnostics that no source documents',
    source: HEARSAY,
    positions: ['none', 'some'],
  },
  oddRecords: {
    mark: 'I',
    does: 'Some positions are 0/0 without a speed (V), or not numbers; some trips stop before they start, or in 2050',
    source: `${ADAPTER}, ${HEARSAY}`,
    positions: ['none', 'some'],
  },
  dutyWords: {
    mark: 'K',
    does: 'D, ON, OFF, SB, YM, PC and WT, and others that are no status',
    source: HEARSAY,
  },
  annotations: {
    mark: 'V',
    does: 'A duty log refers to its annotations; older ones contain them',
    source: `${PROBES}, ${DOCS}`,
    positions: ['references', 'inline'],
  },
  shift: { mark: 'I', does: 'Workday or duty ends the shift, whichever comes first', source: DOCS },
  media: {
    mark: 'K',
    does: 'Films have their device and time, not their event',
    source: PROBES,
    positions: ['none', 'events'],
  },
  fuelTaxUnit: { mark: 'V', does: 'Fuel tax odometers are in kilometers', source: DOCS },
  fuelTaxSearch: {
    mark: 'V',
    does: 'Searches round to whole hours and cut there, unless boundaries are requested',
    source: DOCS,
  },
} as const satisfies BehaviourTable
