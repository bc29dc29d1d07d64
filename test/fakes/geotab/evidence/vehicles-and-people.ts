import type { BehaviourTable } from '../../kit/behaviours.ts'
import { UNCHECKED, PROBES, SAMPLES } from './sources.ts'

/** Roster, ids and formats. */
export const vehiclesAndPeople = {
  ids: {
    mark: 'V',
    does: 'Ids are short or long; a device and a driver may have the same id',
    source: SAMPLES,
  },
  references: {
    mark: 'V',
    does: 'References to nothing are strings or objects',
    source: `${SAMPLES}, ${PROBES}`,
    positions: ['mixed', 'objects'],
  },
  timespans: {
    mark: 'V',
    does: 'Durations are .NET timespans; those of a day or more include days',
    source: PROBES,
  },
  removal: {
    mark: 'K',
    does: 'A removed member stays listed with an activeTo in the past (V), or is gone',
    source: `${PROBES}, ${UNCHECKED}`,
    positions: ['archived', 'gone'],
  },
  plannedEnds: {
    mark: 'K',
    does: 'Some existing members have an activeTo in the future',
    source: UNCHECKED,
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
    source: UNCHECKED,
    positions: ['present', 'absent'],
  },
  trailers: {
    mark: 'K',
    does: 'Are entities, devices, or both; as devices, their type may be unknown',
    source: `${PROBES}, ${UNCHECKED}`,
    positions: ['entity', 'devices', 'both', 'unknown type'],
  },
} as const satisfies BehaviourTable
