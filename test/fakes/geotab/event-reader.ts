import type { RecordFields } from './caller.ts'
import { at, idIn } from './reader.ts'
import type { Entity } from './formats.ts'

const safetyRules: Readonly<Record<string, string>> = {
  RuleHarshBrakingId: 'harsh_brake',
  RuleJackrabbitStartsId: 'harsh_acceleration',
  RuleHarshCorneringId: 'harsh_turn',
  RulePostedSpeedingId: 'speeding',
  RuleEnhancedMajorCollisionId: 'crash',
}

/** Returns safety events. Their positions are those of the log records at the same times. */
export function readSafetyEvents(events: readonly Entity[], logs: readonly Entity[]): RecordFields[] {
  const places = new Map(logs.map((log) => [`${idIn(log['device'])} ${at(log['dateTime'])}`, log]))
  const placeAt = (event: Entity, time: string) => {
    const log = places.get(`${idIn(event['device'])} ${at(event[time])}`)
    return log ? { longitude: log['longitude'], latitude: log['latitude'] } : null
  }
  return events
    .filter(({ rule }) => (idIn(rule) as string) in safetyRules)
    .map((event) => ({
      sourceId: event['id'],
      type: safetyRules[idIn(event['rule']) as string],
      vehicleSourceId: idIn(event['device']),
      driverSourceId: idIn(event['driver']),
      startedAt: at(event['activeFrom']),
      endedAt: at(event['activeTo']),
      startLocation: placeAt(event, 'activeFrom'),
      endLocation: placeAt(event, 'activeTo'),
      maximumSpeedKph: (event['details'] as { maxSpeed: number } | undefined)?.maxSpeed ?? null,
    }))
}

const letters: Readonly<Record<string, string>> = { ControllerObdPowertrainId: 'P', ControllerObdBodyId: 'B' }
const states: Readonly<Record<string, string>> = {
  FaultStatusActiveId: 'open',
  FaultStatusPendingId: 'pending',
}

export function readFaults(
  faults: readonly Entity[],
  diagnostics: ReadonlyMap<string, Entity>,
  modes: ReadonlyMap<string, Entity>,
): RecordFields[] {
  return faults.flatMap((fault) => {
    const diagnostic = diagnostics.get(idIn(fault['diagnostic']) as string) as Entity
    const code = Number(diagnostic['code'])
    const hexadecimal = code.toString(16).toUpperCase().padStart(4, '0')
    if (!['SuspectParameter', 'ObdFault'].includes(String(diagnostic['diagnosticType']))) return []
    const mode = modes.get(idIn(fault['failureMode']) ?? '')
    const reported = {
      sourceId: fault['id'],
      vehicleSourceId: idIn(fault['device']),
      status: states[(fault['faultStates'] as { effectiveStatus: string }).effectiveStatus] ?? 'closed',
      description: diagnostic['name'],
      observedAt: at(fault['dateTime']),
      milStatus: fault['malfunctionLamp'] === true ? 'on' : 'off',
    }
    return mode
      ? { ...reported, code: `SPN${code}-FMI${String(mode['code'])}`, sourceAddress: fault['sourceAddress'] }
      : { ...reported, code: `${letters[idIn(fault['controller']) as string]}${hexadecimal}` }
  })
}
