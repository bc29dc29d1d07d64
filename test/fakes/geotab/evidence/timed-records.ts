import type { BehaviourTable } from '../../kit/behaviours.ts'
import { ADAPTER, DOCS, FAULTS, UNCHECKED, PROBES, SAMPLES } from './sources.ts'

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
    source: UNCHECKED,
    positions: ['hidden', 'shown'],
  },
  tripDeletion: {
    mark: 'K',
    does: 'A deleted or recomputed trip appears again with deletedDateTime',
    source: UNCHECKED,
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
    source: UNCHECKED,
    positions: ['present', 'absent'],
  },
  adjustedValues: {
    mark: 'K',
    does: 'The current state has Diagnostic…AdjustmentId; a vehicle whose engine reports no odometer has only that',
    source: UNCHECKED,
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
    source: UNCHECKED,
    positions: ['updated', 'another'],
  },
  speedingDetails: {
    mark: 'I',
    does: 'A speeding event has maximum and limit',
    source: UNCHECKED,
    positions: ['present', 'absent'],
  },
  eventStates: {
    mark: 'I',
    does: 'An invalid or dismissed event appears again with that state',
    source: `${SAMPLES}, ${UNCHECKED}`,
    positions: ['never', 'sent'],
  },
  seatBelts: {
    mark: 'I',
    does: 'Driving without a belt breaks RuleSeatbeltId',
    source: UNCHECKED,
    positions: ['none', 'some'],
  },
  irregularLogs: {
    mark: 'V',
    does: 'Ignored logs and logs of a record status other than 1 do not count',
    source: ADAPTER,
  },
  dutyEdits: {
    mark: 'I',
    does: 'A log that an edit removes appears again: ignored, or with another record status',
    source: ADAPTER,
    positions: ['never', 'some'],
  },
  unknownValues: {
    mark: 'K',
    does: 'Some statuses, rules and types of diagnostics are in no document',
    source: UNCHECKED,
    positions: ['none', 'some'],
  },
  oddRecords: {
    mark: 'I',
    does: 'Some positions are 0/0 without a speed (V), or not numbers; some trips stop before they start, or in 2050',
    source: `${ADAPTER}, ${UNCHECKED}`,
    positions: ['none', 'some'],
  },
  dutyStatuses: {
    mark: 'K',
    does: 'D, ON, OFF, SB, YM, PC and WT are statuses; other values are not',
    source: UNCHECKED,
  },
  annotations: {
    mark: 'V',
    does: 'A duty log refers to its annotations; older ones contain them',
    source: `${PROBES}, ${DOCS}`,
    positions: ['references', 'inline'],
  },
  shift: {
    mark: 'I',
    does: 'The shift ends with the workday or the duty limit, whichever is first',
    source: DOCS,
  },
  media: {
    mark: 'K',
    does: 'A video has its device and time, but not its event',
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
