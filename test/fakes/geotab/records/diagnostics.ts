import type { Fault } from '../../world/truth.ts'
import type { ListedEntity } from '../stores/snapshot-store.ts'
import { type Entity, longId, versionText } from '../formats.ts'
import type { Fleet } from '../fleet/fleet.ts'

export const UNPLUGGED = 'DiagnosticDeviceHasBeenUnpluggedId'

/** Failure modes of SAE J1939, by their FMI. */
export const failureModes: readonly string[] = [
  'Data valid but above normal operational range - most severe level',
  'Data valid but below normal operational range - most severe level',
  'Data erratic, intermittent or incorrect',
  'Voltage above normal, or shorted to high source',
  'Voltage below normal, or shorted to low source',
  'Current below normal or open circuit',
  'Current above normal or grounded circuit',
  'Mechanical system not responding or out of adjustment',
  'Abnormal frequency or pulse width or period',
  'Abnormal update rate',
  'Abnormal rate of change',
  'Root cause not known',
  'Bad intelligent device or component',
  'Out of calibration',
  'Special instructions',
  'Data valid but above normal operating range - least severe level',
  'Data valid but above normal operating range - moderately severe level',
  'Data valid but below normal operating range - least severe level',
  'Data valid but below normal operating range - moderately severe level',
  'Received network data in error',
  ...Array.from({ length: 11 }, (_, index) => `Reserved for SAE assignment (${index + 20})`),
  'Condition exists',
]

export const failureModeOf = (fmi: number): string => longId('failure mode', fmi)

const obdControllers: Readonly<Record<string, string>> = {
  P: 'ControllerObdPowertrainId',
  B: 'ControllerObdBodyId',
  C: 'ControllerObdChassisId',
  U: 'ControllerObdNetworkId',
}

export const controllerOf = (code: Fault['code']): string =>
  code.protocol === 'j1939'
    ? longId('controller', code.source)
    : (obdControllers[code.dtc.slice(0, 1)] as string)

/** Returns the id of the diagnostic of a fault. */
export const diagnosticOf = ({ code, description }: Pick<Fault, 'code' | 'description'>): string =>
  longId('diagnostic', code.protocol === 'j1939' ? code.spn : code.dtc, description)

function toFaultDiagnostic(fault: Fault, version: number): Entity {
  const { code, description } = fault
  const isJ1939 = code.protocol === 'j1939'
  return {
    ...(isJ1939 ? { parameterGroup: 'ParameterGroupNoneId', conversion: 1, dataLength: 1, offset: 0 } : {}),
    code: isJ1939 ? code.spn : Number.parseInt(code.dtc.slice(1), 16),
    controller: isJ1939 ? 'ControllerNoneId' : { id: controllerOf(code) },
    diagnosticType: isJ1939 ? 'SuspectParameter' : 'ObdFault',
    engineType: 'EngineTypeGenericId',
    faultResetMode: 'None',
    id: diagnosticOf(fault),
    name: description,
    source: isJ1939 ? 'SourceJ1939Id' : 'SourceObdId',
    unitOfMeasure: 'UnitOfMeasureNoneId',
    validLoggingPeriod: 'None',
    isLogGuaranteedOnEstimateError: false,
    version: versionText(version),
  }
}

type Measured = readonly [
  id: string,
  name: string,
  code: number,
  unit: string,
  conversion: number,
  length: number,
]

const measured: readonly Measured[] = [
  ['DiagnosticOdometerId', 'Odometer', 5, 'UnitOfMeasureMetersId', 100, 4],
  ['DiagnosticEngineHoursId', 'Engine hours', 3, 'UnitOfMeasureSecondsId', 1, 4],
  ['DiagnosticFuelLevelId', 'Fuel level (percentage)', 98, 'UnitOfMeasurePercentageId', 0.3921, 1],
  ['DiagnosticIgnitionId', 'Ignition', 10009, 'UnitOfMeasureNoneId', 1, 1],
]

const toMeasured = (
  [id, name, code, unitOfMeasure, conversion, dataLength]: Measured,
  version: number,
): Entity => ({
  id,
  name,
  code,
  unitOfMeasure,
  diagnosticType: 'GoDiagnostic',
  source: 'SourceGeotabGoId',
  conversion,
  dataLength,
  version: versionText(version),
})

const toUnplugged = ({ switches }: Fleet, version: number): Entity => ({
  engineType: 'EngineTypeNoneId',
  code: 136,
  controller: { id: 'ControllerGoDeviceId' },
  diagnosticType: switches.unknownValues === 'some' ? 'NewFault' : 'GoFault',
  faultResetMode: 'AutoReset',
  id: UNPLUGGED,
  name: 'Telematics device has been unplugged',
  source: 'SourceGeotabGoId',
  unitOfMeasure: 'UnitOfMeasureNoneId',
  validLoggingPeriod: 'None',
  isLogGuaranteedOnEstimateError: false,
  version: versionText(version),
})

export function diagnostics(fleet: Fleet): ListedEntity[] {
  const { world } = fleet
  const faults = world.vehicles().flatMap(({ number }) => world.faults(number, world.startsAt, world.now + 1))
  const distinct = new Map(faults.map((fault) => [diagnosticOf(fault), fault]))
  return [
    ...measured.map((each): ListedEntity => [each[0], (version) => toMeasured(each, version)]),
    [UNPLUGGED, (version) => toUnplugged(fleet, version)],
    ...[...distinct].map(([id, fault]): ListedEntity => [id, (version) => toFaultDiagnostic(fault, version)]),
  ]
}

export const allFailureModes = (): ListedEntity[] =>
  failureModes.map((name, code) => {
    const id = failureModeOf(code)
    return [id, () => ({ id, name, code, source: 'SourceJ1939Id' })]
  })

/** Returns the OBD controllers, and one for each of the 256 source addresses of J1939. */
export const controllers = (): ListedEntity[] => [
  ...Object.values(obdControllers).map((id): ListedEntity => [
    id,
    () => ({ id, name: id, code: 0, source: 'SourceObdId' }),
  ]),
  ...Array.from({ length: 256 }, (_, code): ListedEntity => {
    const id = longId('controller', code)
    return [id, () => ({ id, name: `Source address ${code}`, code, source: 'SourceJ1939Id' })]
  }),
]
