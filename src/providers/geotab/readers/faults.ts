import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import type { NormalizedFaultCodeEvent } from '../../../domain/models/fault-code-event.ts'
import { unmappedValues, createEnumMapping } from '../../mapping/enum-mapping.ts'
import { getByIds } from '../api-calls.ts'
import { id, instant, measure, optionalReference, reference, text } from '../schema-types.ts'
import { feedReader } from '../paged-readers.ts'

const fault = z.looseObject({
  id,
  device: reference,
  diagnostic: reference,
  failureMode: optionalReference,
  controller: optionalReference,
  dateTime: instant,
  faultState: text,
  faultStates: z.looseObject({ effectiveStatus: text }).nullish(),
  malfunctionLamp: z.boolean().nullish(),
  count: measure,
  sourceAddress: measure,
})

const diagnostic = z.looseObject({
  name: text,
  code: z.number().int().min(0),
  diagnosticType: z.string(),
  controller: optionalReference,
})

const failureMode = z.looseObject({ name: text, code: z.number().int().min(0) })

/** Fault with its related records. */
const joinedFault = z.object({
  faultData: fault,
  diagnostic,
  failureMode: failureMode.nullable(),
})

type Joined = z.infer<typeof joinedFault>

export const faultReader = feedReader({
  typeName: 'FaultData',
  shape: joinedFault,
  join,
  toNormalized: (record): NormalizedFaultCodeEvent =>
    protocols.needed(record.diagnostic.diagnosticType) === 'j1939' ? toJ1939(record) : toObdii(record),
})

const diagnosticWithType = z.looseObject({ diagnosticType: z.string() })

/** Faults of the device itself and codes of the older J1708 are not supported. */
const protocols = createEnumMapping<NormalizedFaultCodeEvent['protocol']>(
  'geotab',
  'FaultCodeEvent.protocol',
  {
    SuspectParameter: 'j1939',
    ObdFault: 'obdii',
    ...unmappedValues(`None Sid Pid GoDiagnostic GoFault DataDiagnostic BrpFault VehicleFault LegacyFault ProprietaryFault
      GmcccFault ObdWwhFault`),
  },
)

function isSupported(about: unknown): boolean {
  const { data } = diagnosticWithType.safeParse(about)
  return !data || protocols.maybe(data.diagnosticType) !== null
}

async function join(api: ProviderApi, records: readonly unknown[]): Promise<unknown[]> {
  const faults = records.map((record) => ({ record, fault: fault.safeParse(record).data ?? null }))
  const diagnostics = await getByIds(
    api,
    'Diagnostic',
    faults.map(({ fault }) => fault?.diagnostic ?? null),
  )
  const supported = faults
    .map((one) => ({ ...one, diagnostic: diagnostics.get(one.fault?.diagnostic ?? '') ?? null }))
    .filter(({ diagnostic }) => isSupported(diagnostic))
  const modes = await getByIds(
    api,
    'FailureMode',
    supported.map(({ fault }) => fault?.failureMode ?? null),
  )
  return supported.map(({ record, fault, diagnostic }) => ({
    faultData: record,
    diagnostic,
    failureMode: modes.get(fault?.failureMode ?? '') ?? null,
  }))
}

const sharedFields = ({ faultData: fault, diagnostic }: Joined) => ({
  sourceId: fault.id,
  vehicleSourceId: fault.device,
  status: statusOf(fault),
  description: diagnostic.name,
  observedAt: fault.dateTime,
  milStatus:
    fault.malfunctionLamp == null ? null : fault.malfunctionLamp ? ('on' as const) : ('off' as const),
})

const statuses = createEnumMapping<'open' | 'pending' | 'closed'>('geotab', 'FaultCodeEvent.status', {
  Active: 'open',
  Pending: 'pending',
  Inactive: 'closed',
  Cleared: 'closed',
  None: 'closed',
  No: 'closed',
})

/** Accepts a status or its id, for example FaultStatusActiveId. */
function statusOf({ faultState, faultStates }: z.infer<typeof fault>): 'open' | 'pending' | 'closed' {
  const state = faultStates?.effectiveStatus ?? faultState
  return statuses.or('closed', state?.replace(/^FaultStatus|Id$/g, ''))
}

function toJ1939(record: Joined): NormalizedFaultCodeEvent {
  const { faultData, diagnostic, failureMode } = record
  const fmi = failureMode?.code ?? null
  return {
    ...sharedFields(record),
    protocol: 'j1939',
    code: `SPN${diagnostic.code}${fmi === null ? '' : `-FMI${fmi}`}`,
    spn: diagnostic.code,
    spnDescription: diagnostic.name,
    fmi,
    fmiDescription: failureMode?.name ?? null,
    occurrenceCount: faultData.count,
    sourceAddress: faultData.sourceAddress,
  }
}

/** First letter of a trouble code by the part of the vehicle, which the controller identifies. */
const letters: readonly (readonly [RegExp, string])[] = [
  [/Powertrain/, 'P'],
  [/Body/, 'B'],
  [/Chassis/, 'C'],
  [/Network/, 'U'],
]

function toObdii(record: Joined): NormalizedFaultCodeEvent {
  const { faultData, diagnostic } = record
  const controller = faultData.controller ?? diagnostic.controller ?? ''
  const letter = letters.find(([part]) => part.test(controller))?.[1]
  if (letter === undefined) throw new Error('the trouble code has no known vehicle part')
  const digits = diagnostic.code.toString(16).toUpperCase().padStart(4, '0')
  return { ...sharedFields(record), protocol: 'obdii', code: `${letter}${digits}` }
}
