import { z } from 'zod'
import { toIso } from '../../../time.ts'
import { rounded } from '../../../units.ts'
import type { ProviderApi } from '../../api.ts'
import type { Point, SafetyEventDraft, SafetyEventType } from '../../drafts.ts'
import { getByIds, getEach } from '../calls.ts'
import { id, instant, latitude, longitude, maybeReference, measure, reference, text } from '../fields.ts'
import { fed } from '../readers.ts'

/** The rules of MyGeotab that are about safety; those that fleets make may be about anything. */
const types: Readonly<Record<string, SafetyEventType>> = {
  RuleHarshBrakingId: 'harsh_brake',
  RuleJackrabbitStartsId: 'harsh_acceleration',
  RuleHarshCorneringId: 'harsh_turn',
  RulePostedSpeedingId: 'speeding',
  RuleEnhancedMajorCollisionId: 'crash',
  RuleEnhancedMinorCollisionId: 'crash',
  RuleAccidentId: 'crash',
}

const event = z.looseObject({
  id,
  device: reference,
  driver: maybeReference,
  rule: reference,
  activeFrom: instant,
  activeTo: instant.nullish(),
  details: z.looseObject({ maxSpeed: measure, speedLimit: measure }).nullish(),
})

const logRecord = z.looseObject({ dateTime: instant, latitude, longitude })

/** An event with its rule, and where the device was when it began and ended. */
const joinedEvent = z.object({
  exceptionEvent: event,
  rule: z.looseObject({ name: text }).nullable(),
  logRecords: z.array(logRecord),
})

export const safetyReader = fed({
  typeName: 'ExceptionEvent',
  shape: joinedEvent,
  joined,
  toDraft: ({ exceptionEvent: event, rule, logRecords }): SafetyEventDraft => ({
    sourceId: event.id,
    type: typeOf(event),
    vehicleSourceId: event.device,
    driverSourceId: event.driver,
    startedAt: event.activeFrom,
    endedAt: event.activeTo ?? null,
    startLocation: placeAt(event.activeFrom, logRecords),
    endLocation: placeAt(event.activeTo ?? null, logRecords),
    sourceType: rule?.name ?? event.rule,
    maximumSpeedKph: inDecimals(event.details?.maxSpeed),
    averageSpeedKph: null,
    roadSpeedLimitKph: inDecimals(event.details?.speedLimit),
    gForceForwardBackward: null,
    gForceSideToSide: null,
    headingDegrees: null,
    frontCamera: null,
    rearCamera: null,
    extensions: null,
  }),
})

function typeOf({ rule }: z.infer<typeof event>): SafetyEventType {
  const type = types[rule]
  if (type === undefined) throw new Error(`${rule} is not about safety`)
  return type
}

const inDecimals = (speed: number | null | undefined): number | null =>
  speed == null ? null : rounded(speed, 2)

type Log = z.infer<typeof logRecord>

/** A device tells its place when something happens, or at most so much before or after. */
const NEAR_MS = 60_000

const placeAt = (at: number | null, logs: readonly Log[]): Point | null => {
  const nearest = at === null ? undefined : nearestTo(at, logs)
  return nearest ? { longitude: nearest.longitude, latitude: nearest.latitude } : null
}

const nearestTo = (at: number, logs: readonly Log[]): Log | undefined =>
  logs
    .filter(({ dateTime }) => Math.abs(dateTime - at) <= NEAR_MS)
    .toSorted((one, other) => Math.abs(one.dateTime - at) - Math.abs(other.dateTime - at))[0]

async function joined(api: ProviderApi, records: readonly unknown[]): Promise<unknown[]> {
  const read = records
    .map((record) => ({ record, event: event.safeParse(record).data ?? null }))
    .filter(({ event }) => event === null || event.rule in types)
  const known = read.flatMap(({ event }) => event ?? [])
  const rules = await getByIds(
    api,
    'Rule',
    known.map(({ rule }) => rule),
  )
  const logs = await getEach(api, 'LogRecord', known.map(searchFor))
  const logsOf = new Map(known.map((event, index) => [event, endsOf(event, logs[index] ?? [])]))
  return read.map(({ record, event }) => ({
    exceptionEvent: record,
    rule: (event && rules.get(event.rule)) ?? null,
    logRecords: (event && logsOf.get(event)) ?? [],
  }))
}

const searchFor = ({ device, activeFrom, activeTo }: z.infer<typeof event>) => ({
  deviceSearch: { id: device },
  fromDate: toIso(activeFrom - NEAR_MS),
  toDate: toIso((activeTo ?? activeFrom) + NEAR_MS),
})

/** Of all the places of an event, the two that are kept with it. */
function endsOf({ activeFrom, activeTo }: z.infer<typeof event>, found: readonly unknown[]): unknown[] {
  const logs = found.flatMap((log) => logRecord.safeParse(log).data ?? [])
  const ends = [nearestTo(activeFrom, logs), activeTo == null ? undefined : nearestTo(activeTo, logs)]
  const times = new Set(ends.map((log) => log?.dateTime))
  return found.filter((log) => times.has(logRecord.safeParse(log).data?.dateTime))
}
