import type { BehaviourTable } from '../../kit/behaviours.ts'
import { HEARSAY, PROBES, SAMPLES } from './sources.ts'

/** Formats of records. */
export const vehiclesAndPeople = {
  ids: { mark: 'V', does: 'Ids are short or long; a device and a driver may have the same', source: SAMPLES },
  references: {
    mark: 'V',
    does: 'References to nothing are bare strings; some are objects',
    source: `${SAMPLES}, ${PROBES}`,
    positions: ['mixed', 'objects'],
  },
  timespans: {
    mark: 'V',
    does: 'Durations are .NET timespans, with days if they are longer',
    source: PROBES,
  },
  removal: {
    mark: 'K',
    does: 'A removed member stays listed with an activeTo in the past (V), or is gone',
    source: `${PROBES}, ${HEARSAY}`,
    positions: ['archived', 'gone'],
  },
  plannedEnds: {
    mark: 'K',
    does: 'Some existing members have an activeTo in the future',
    source: HEARSAY,
    positions: ['none', 'some'],
  },
  unknownVin: { mark: 'V', does: 'Unknown vehicle numbers are empty or a question mark', source: PROBES },
  vinInfo: {
    mark: 'I',
    does: 'Some devices have make, model and year of their vehicle',
    source: PROBES,
    positions: ['absent', 'present'],
  },
  fuelTankCapacity: {
    mark: 'K',
    does: 'Is in liters, 0 where unknown',
    source: HEARSAY,
    positions: ['present', 'absent'],
  },
  trailers: {
    mark: 'K',
    does: 'Are entities, devices, or both; as devices, their type may be unknown',
    source: `${PROBES}, ${HEARSAY}`,
    positions: ['entity', 'devices', 'both', 'unknown type'],
  },
} as const satisfies BehaviourTable
