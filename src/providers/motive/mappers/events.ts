import type { z } from 'zod'
import { ProviderError } from '../../provider-error.ts'
import type { NormalizedFaultCodeEvent } from '../../../domain/models/fault-code-event.ts'
import type { NormalizedTrip } from '../../../domain/models/trip.ts'
import type * as records from '../schemas/events.ts'
import { tripDuration } from '../../mapping/trip-duration.ts'
import { unmappedValues, createEnumMapping } from '../../mapping/enum-mapping.ts'
import { secondsToDuration, toKilometers, toPoint } from './conversions.ts'

/** Maps a driving period, the closest equivalent of a trip. Its odometers are always in kilometers. */
export const toTrip = (period: z.infer<typeof records.drivingPeriod>): NormalizedTrip => ({
  sourceId: period.id,
  vehicleSourceId: period.vehicle.id,
  driverSourceId: period.driver,
  startedAt: period.start_time,
  endedAt: period.end_time,
  startLocation: toPoint(period.origin_lat, period.origin_lon),
  endLocation: toPoint(period.destination_lat, period.destination_lon),
  distanceKilometers: distanceOf(period.start_kilometers, period.end_kilometers),
  durationMilliseconds: tripDuration(period.start_time, period.end_time, secondsToDuration(period.duration)),
})

const ODOMETER_IS_METRIC = true

/** Null if the odometer was reset during the period. */
const distanceOf = (start: number | null, end: number | null): number | null =>
  start === null || end === null || end < start ? null : toKilometers(end - start, ODOMETER_IS_METRIC)

const statuses = createEnumMapping<'open' | 'closed'>('motive', 'FaultCodeEvent.status', {
  open: 'open',
  closed: 'closed',
})

/** Older networks, whose codes are neither J1939 nor OBD-II codes. The model has no protocol for them. */
const unsupportedNetworks = unmappedValues('j1587 j1708')

const protocols = createEnumMapping<'j1939' | 'obdii'>('motive', 'FaultCodeEvent.protocol', {
  ...unsupportedNetworks,
  j1939: 'j1939',
  obdii: 'obdii',
})

export const isUnsupportedNetwork = (network: string | null): boolean =>
  network !== null && Object.hasOwn(unsupportedNetworks, network.toLowerCase())

/**
 * Whether a code is a J1939 number. A number without a known network is one, because OBD-II codes begin with
 * a letter.
 */
const isJ1939Number = ({ code, network }: Fault): boolean =>
  protocols.orNull(network?.toLowerCase()) !== 'obdii' && /^\d{1,6}$/.test(code)

type Fault = z.infer<typeof records.faultCode>

/** Maps a fault. A J1939 code is the number of the failed component (SPN); `fmi` is the failure mode. */
export function toFaultCodeEvent(fault: Fault): NormalizedFaultCodeEvent {
  // The reader omits such faults.
  if (isUnsupportedNetwork(fault.network))
    throw new ProviderError('malformed', 'FaultCodeEvent.protocol: unsupported network')
  const shared = {
    sourceId: fault.id,
    vehicleSourceId: fault.vehicle.id,
    status: statuses.orDefault(fault.status, 'closed'),
    description: fault.code_description,
    observedAt: fault.last_observed_at,
    milStatus: null,
  }
  const spn = isJ1939Number(fault) ? Number(fault.code) : null
  if (spn === null) return { ...shared, protocol: 'obdii', code: fault.code }
  return {
    ...shared,
    protocol: 'j1939',
    code: `SPN${spn}${fault.fmi === null ? '' : `-FMI${fault.fmi}`}`,
    spn,
    spnDescription: fault.code_description,
    fmi: fault.fmi,
    fmiDescription: fault.fmi_description,
    occurrenceCount: fault.occurrence_count,
    sourceAddress: fault.source_address,
  }
}
