import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import type { NormalizedFaultCodeEvent } from '../../../domain/models/fault-code-event.ts'
import { optionalBoolean } from '../../mapping/boolean.ts'
import { integerValue } from '../../mapping/numbers.ts'
import { parseParts } from '../../mapping/readable-parts.ts'
import { unmappedValues, createEnumMapping } from '../../mapping/enum-mapping.ts'
import { getByIds } from '../api-calls.ts'
import { id, instant, measure, optionalReference, reference, text } from '../schema-types.ts'
import { feedReader } from '../paged-readers.ts'

const faultSchema = z.looseObject({
  id,
  device: reference,
  diagnostic: reference,
  failureMode: optionalReference,
  controller: optionalReference,
  dateTime: instant,
  faultState: text,
  faultStates: z.looseObject({ effectiveStatus: text }).nullish(),
  malfunctionLamp: optionalBoolean,
  count: measure,
  sourceAddress: measure,
})

const diagnosticSchema = z.looseObject({
  name: text,
  code: integerValue.refine((code) => code >= 0, 'not a code'),
  diagnosticType: z.string(),
  controller: optionalReference,
})

const failureModeSchema = z.looseObject({
  name: text,
  code: integerValue.refine((code) => code >= 0, 'not a code'),
})

/** Fault with its diagnostic and its failure mode, which MyGeotab keeps as separate records. */
const joinedFault = z.object({
  faultData: faultSchema,
  diagnostic: diagnosticSchema,
  failureMode: failureModeSchema.nullable(),
})

type Joined = z.infer<typeof joinedFault>

export const faultReader = feedReader({
  typeName: 'FaultData',
  shape: joinedFault,
  join,
  toNormalized: (record): NormalizedFaultCodeEvent =>
    protocols.orThrow(record.diagnostic.diagnosticType) === 'j1939' ? toJ1939(record) : toObdii(record),
})

const diagnosticWithType = z.looseObject({ diagnosticType: z.string() })

/** Faults of the Geotab device itself and codes of the older protocol J1708 are not supported. */
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

/**
 * Whether the protocol of a diagnostic is supported. An unreadable one passes, so that the mapping rejects
 * the fault.
 */
function isSupported(diagnostic: unknown): boolean {
  const { data } = diagnosticWithType.safeParse(diagnostic)
  return !data || protocols.orNull(data.diagnosticType) !== null
}

async function join(api: ProviderApi, records: readonly unknown[]): Promise<unknown[]> {
  const faults = records.map((record) => ({ record, fault: parseParts(faultSchema, record) }))
  const diagnostics = await getByIds(
    api,
    'Diagnostic',
    faults.map(({ fault }) => fault?.diagnostic ?? null),
  )
  const supported = faults
    .map((entry) => ({ ...entry, diagnostic: diagnostics.get(entry.fault?.diagnostic ?? '') ?? null }))
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

/** Accepts the name of a status, such as Active, or its id, such as FaultStatusActiveId. */
function statusOf({ faultState, faultStates }: z.infer<typeof faultSchema>): 'open' | 'pending' | 'closed' {
  const state = faultStates?.effectiveStatus ?? faultState
  return statuses.orDefault(state?.replace(/^FaultStatus|Id$/g, ''), 'closed')
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

/** First letters of OBD-II codes by part of the vehicle. The id of the controller contains the name of the part. */
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
  if (letter === undefined)
    throw new Error('the controller of the trouble code belongs to no known part of the vehicle')
  const digits = diagnostic.code.toString(16).toUpperCase().padStart(4, '0')
  return { ...sharedFields(record), protocol: 'obdii', code: `${letter}${digits}` }
}
