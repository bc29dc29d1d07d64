import type { z } from 'zod'
import { ProviderError } from '../../provider-error.ts'
import type { NormalizedFaultCodeEvent, NormalizedTrip } from '../../normalized-records.ts'
import type * as records from '../schemas/events.ts'
import { unmappedValues, createEnumMapping } from '../../mapping/enum-mapping.ts'
import { secondsToTime, toKilometers, toPoint } from './conversions.ts'

/** Driving is the nearest to a trip that there is. Its odometers are kilometers whatever its vehicle's are. */
export const toTrip = (period: z.infer<typeof records.drivingPeriod>): NormalizedTrip => ({
  sourceId: period.id,
  vehicleSourceId: period.vehicle.id,
  driverSourceId: period.driver,
  startedAt: period.start_time,
  endedAt: period.end_time,
  startLocation: toPoint(period.origin_lat, period.origin_lon),
  endLocation: toPoint(period.destination_lat, period.destination_lon),
  distanceKilometers: distanceOf(period.start_kilometers, period.end_kilometers),
  durationMilliseconds: secondsToTime(period.duration) ?? 0,
})

/** An odometer that was set back meanwhile tells no distance. */
const distanceOf = (start: number | null, end: number | null): number | null =>
  start === null || end === null || end < start ? null : toKilometers(end - start, true)

const statuses = createEnumMapping<'open' | 'closed'>('motive', 'FaultCodeEvent.status', {
  open: 'open',
  closed: 'closed',
})

/** Networks whose numbers are none of j1939's. */
const others = unmappedValues('j1587 j1708')

const protocols = createEnumMapping<'j1939' | 'obdii'>('motive', 'FaultCodeEvent.protocol', {
  ...others,
  j1939: 'j1939',
  obdii: 'obdii',
})

export const isOfOthers = (network: string | null): boolean =>
  network !== null && Object.hasOwn(others, network.toLowerCase())

/** A number without a network, or on one that nobody knows, is j1939's: nothing else has numbers. */
const isNumbered = ({ code, network }: Fault): boolean =>
  protocols.maybe(network?.toLowerCase()) !== 'obdii' && /^\d{1,6}$/.test(code)

type Fault = z.infer<typeof records.faultCode>

/** A code of j1939 is the number of what is at fault, and `fmi` how. */
export function toFaultCodeEvent(fault: Fault): NormalizedFaultCodeEvent {
  if (isOfOthers(fault.network)) throw new ProviderError('malformed', 'FaultCodeEvent.protocol: none of ours')
  const told = {
    sourceId: fault.id,
    vehicleSourceId: fault.vehicle.id,
    status: statuses.or('closed', fault.status),
    description: fault.code_description,
    observedAt: fault.last_observed_at,
    milStatus: null,
  }
  const spn = isNumbered(fault) ? Number(fault.code) : null
  if (spn === null) return { ...told, protocol: 'obdii', code: fault.code }
  return {
    ...told,
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
