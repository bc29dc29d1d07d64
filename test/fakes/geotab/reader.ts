import type { Caller, RecordFields } from './caller.ts'
import type { Entity } from './formats.ts'

/** Reads a fake as an adapter does. It shares no code with the fake. */
export class Reader {
  private readonly versions = new Map<string, string>()
  private readonly entities = new Map<string, Map<string, Entity>>()
  calls = 0

  constructor(
    private readonly caller: Caller,
    private readonly limit = 500,
  ) {}

  /** Reads the feed of a type from the last version on. Returns the newest record of each key. */
  readFeed(typeName: string, keyOf: (entity: Entity) => string = ({ id }) => String(id)): Entity[] {
    const entities = this.entities.get(typeName) ?? new Map<string, Entity>()
    this.entities.set(typeName, entities)
    for (;;) {
      const fromVersion = this.versions.get(typeName) ?? '0000000000000000'
      const { data, toVersion } = this.caller.feed(typeName, { fromVersion, resultsLimit: this.limit })
      this.calls++
      this.versions.set(typeName, toVersion)
      for (const entity of data) entities.set(keyOf(entity), entity)
      if (data.length < this.limit) return [...entities.values()]
    }
  }
}

export const idIn = (reference: unknown): string | null => {
  const id = typeof reference === 'string' ? reference : (reference as { id: string } | undefined)?.id
  return id === undefined || /^(Unknown|No)[A-Z]\w+Id$/.test(id) ? null : id
}

export const at = (value: unknown): number => Date.parse(String(value))

/** `[-][d.]hh:mm:ss[.fffffff]` */
export function milliseconds(span: unknown): number {
  const [, sign, days = '0', hours, minutes, seconds, ticks = ''] =
    /^(-?)(?:(\d+)\.)?(\d\d):(\d\d):(\d\d)(?:\.(\d{7}))?$/.exec(String(span)) ?? []
  const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)
  return (sign === '-' ? -1 : 1) * (whole * 1000 + Math.round(Number(ticks.padEnd(7, '0')) / 10_000))
}

const pointAt = ({ x, y }: { x: number; y: number }) => ({ longitude: x, latitude: y })

export const tripKey = (trip: Entity): string => `${idIn(trip['device'])}:${String(trip['start'])}`

export const readTrip = (trip: Entity): RecordFields => ({
  sourceId: tripKey(trip),
  vehicleSourceId: idIn(trip['device']),
  driverSourceId: idIn(trip['driver']),
  startedAt: at(trip['start']),
  endedAt: at(trip['stop']),
  endLocation: pointAt(trip['stopPoint'] as { x: number; y: number }),
  distanceKilometers: trip['distance'],
  durationMilliseconds: milliseconds(trip['drivingDuration']),
})

const dutyStatuses: Readonly<Record<string, string>> = {
  D: 'driving',
  ON: 'on_duty',
  OFF: 'off_duty',
  SB: 'sleeper_bed',
  YM: 'yard_move',
  PC: 'personal_conveyance',
  WT: 'waiting_time',
}

/** Returns duty statuses. Each ends when the next one of the driver begins. */
export function readHosLogs(logs: readonly Entity[], remarks: ReadonlyMap<string, Entity>): RecordFields[] {
  const counted = logs
    .filter(
      (log) =>
        log['isIgnored'] !== true && log['eventRecordStatus'] === 1 && String(log['status']) in dutyStatuses,
    )
    .toSorted((one, other) => at(one['dateTime']) - at(other['dateTime']))
  return counted.map((log, index) => ({
    sourceId: log['id'],
    status: dutyStatuses[String(log['status'])],
    driverSourceId: idIn(log['driver']),
    vehicleSourceId: idIn(log['device']),
    codriverSourceIds: ((log['coDrivers'] ?? []) as unknown[]).map(idIn),
    startedAt: at(log['dateTime']),
    endedAt: nextStart(counted, index),
    location: log['location']
      ? pointAt((log['location'] as { location: { x: number; y: number } }).location)
      : null,
    remarks: ((log['annotations'] ?? []) as unknown[]).map(
      (each) => remarks.get(idIn(each) as string)?.['comment'],
    ),
  }))
}

function nextStart(logs: readonly Entity[], index: number): number | null {
  const driver = idIn(logs[index]?.['driver'])
  const next = logs.slice(index + 1).find((log) => idIn(log['driver']) === driver)
  return next ? at(next['dateTime']) : null
}
