import { z } from 'zod'
import { rounded } from '../../../domain/units.ts'
import type { ProviderApi } from '../../provider-api.ts'
import type { Point, NormalizedSafetyEvent, SafetyEventType } from '../../normalized-records.ts'
import { unmappedValues, createEnumMapping } from '../../mapping/enum-mapping.ts'
import { getByIds } from '../api-calls.ts'
import { id, instant, optionalReference, measure, reference, text } from '../schema-types.ts'
import { feedReader } from '../paged-readers.ts'
import { type GpsLog, logRecord, gpsLogsIn, type DevicePeriod } from './gps-logs.ts'

/** The rules of MyGeotab that are about safety; those that fleets make may be about anything. */
const types = createEnumMapping<SafetyEventType>('geotab', 'SafetyEvent.type', {
  RuleHarshBrakingId: 'harsh_brake',
  RuleJackrabbitStartsId: 'harsh_acceleration',
  RuleHarshCorneringId: 'harsh_turn',
  RulePostedSpeedingId: 'speeding',
  RuleEnhancedMajorCollisionId: 'crash',
  RuleEnhancedMinorCollisionId: 'crash',
  RuleAccidentId: 'crash',
  RuleSeatbeltId: 'seat_belt_violation',
  ...unmappedValues(`RuleIdlingId RuleAfterHoursUsageId RuleReverseAtStartId RuleApplicationExceptionId
      RuleUnauthorizedDeviceRemovalId`),
})

const event = z.looseObject({
  id,
  device: reference,
  driver: optionalReference,
  rule: reference,
  activeFrom: instant,
  activeTo: instant.nullish(),
  state: text.catch(null),
  details: z.looseObject({ maxSpeed: measure, speedLimit: measure }).nullish(),
})

/** An event with its rule, and where the device was when it began and ended. */
const joinedEvent = z.object({
  exceptionEvent: event,
  rule: z.looseObject({ name: text }).nullable(),
  logRecords: z.array(logRecord),
})

export const safetyReader = feedReader({
  typeName: 'ExceptionEvent',
  shape: joinedEvent,
  joined,
  removedIn: async (_api, records) => retractedIn(records),
  toDraft: ({ exceptionEvent: event, rule, logRecords }): NormalizedSafetyEvent => ({
    sourceId: event.id,
    type: types.needed(event.rule),
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

const RETRACTED = ['ExceptionEventStateInvalidId', 'ExceptionEventStateDismissedId']

/** Found to be none, or dismissed by somebody. */
const isRetracted = ({ state }: z.infer<typeof event>): boolean => state !== null && RETRACTED.includes(state)

const retractedIn = (records: readonly unknown[]): string[] =>
  records.flatMap((record) => {
    const { data } = event.safeParse(record)
    return data && isRetracted(data) ? [data.id] : []
  })

/** Rules of MyGeotab's own have such names; a new one of them is counted. */
const OWN = /^Rule[A-Z]\w*Id$/

const isAboutSafety = (rule: string): boolean => OWN.test(rule) && types.maybe(rule) !== null

const inDecimals = (speed: number | null | undefined): number | null =>
  speed == null ? null : rounded(speed, 2)

type LoggedPosition = z.infer<typeof logRecord>

/** A device tells its place when something happens, or at most so much before or after. */
const NEAR_MS = 60_000

const placeAt = (at: number | null, logs: readonly LoggedPosition[]): Point | null => {
  const nearest = at === null ? undefined : nearestTo(at, logs)
  return nearest ? { longitude: nearest.longitude, latitude: nearest.latitude } : null
}

const nearestTo = <T extends LoggedPosition>(at: number, logs: readonly T[]): T | undefined =>
  logs
    .filter(({ dateTime }) => Math.abs(dateTime - at) <= NEAR_MS)
    .toSorted((one, other) => Math.abs(one.dateTime - at) - Math.abs(other.dateTime - at))[0]

async function joined(api: ProviderApi, records: readonly unknown[]): Promise<unknown[]> {
  const read = records
    .map((record) => ({ record, event: event.safeParse(record).data ?? null }))
    .filter(({ event }) => event === null || (isAboutSafety(event.rule) && !isRetracted(event)))
  const known = read.flatMap(({ event }) => event ?? [])
  const rules = await getByIds(
    api,
    'Rule',
    known.map(({ rule }) => rule),
  )
  const logs = await gpsLogsIn(api, known.map(stretchOf))
  const logsOf = new Map(known.map((event, index) => [event, endsOf(event, logs[index] ?? [])]))
  return read.map(({ record, event }) => ({
    exceptionEvent: record,
    rule: (event && rules.get(event.rule)) ?? null,
    logRecords: (event && logsOf.get(event)) ?? [],
  }))
}

const stretchOf = ({ device, activeFrom, activeTo }: z.infer<typeof event>): DevicePeriod => ({
  device,
  from: activeFrom - NEAR_MS,
  to: (activeTo ?? activeFrom) + NEAR_MS,
})

/** Of all the places of an event, the two that are kept with it. */
function endsOf({ activeFrom, activeTo }: z.infer<typeof event>, logs: readonly GpsLog[]): unknown[] {
  const ends = [nearestTo(activeFrom, logs), activeTo == null ? undefined : nearestTo(activeTo, logs)]
  return [...new Set(ends)].flatMap((log) => log?.record ?? [])
}
