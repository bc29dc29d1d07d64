import { z } from 'zod'
import { optionalMember } from '../../mapping/optional-member.ts'
import { rounded } from '../../../domain/units.ts'
import type { ProviderApi } from '../../provider-api.ts'
import type { Point } from '../../../domain/models/point.ts'
import type { NormalizedSafetyEvent, SafetyEventType } from '../../../domain/models/safety-event.ts'
import { unmappedValues, createEnumMapping } from '../../mapping/enum-mapping.ts'
import { parseParts } from '../../mapping/readable-parts.ts'
import { getByIds } from '../api-calls.ts'
import { id, instant, optionalReference, measure, reference, text } from '../schema-types.ts'
import { feedReader } from '../paged-readers.ts'
import { type GpsLog, logRecord, readGpsLogs, type DevicePeriod } from './gps-logs.ts'

/**
 * Event types by MyGeotab's own rules. Fleets write rules about anything, so the reader skips the events of
 * their rules.
 */
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

const eventSchema = z.looseObject({
  id,
  device: reference,
  driver: optionalReference,
  rule: reference,
  activeFrom: instant,
  activeTo: optionalMember(instant),
  state: text,
  details: z.looseObject({ maxSpeed: measure, speedLimit: measure }).nullish(),
})

/** Event with its rule, and the positions at its start and end, which MyGeotab keeps as separate records. */
const joinedEvent = z.object({
  exceptionEvent: eventSchema,
  rule: z.looseObject({ name: text }).nullable(),
  logRecords: z.array(logRecord),
})

export const safetyReader = feedReader({
  typeName: 'ExceptionEvent',
  shape: joinedEvent,
  join,
  removedIn: async (_api, records) => retractedIn(records),
  toNormalized: ({ exceptionEvent: event, rule, logRecords }): NormalizedSafetyEvent => ({
    sourceId: event.id,
    type: types.orThrow(event.rule),
    vehicleSourceId: event.device,
    driverSourceId: event.driver,
    startedAt: event.activeFrom,
    endedAt: event.activeTo ?? null,
    startLocation: locationAt(event.activeFrom, logRecords),
    endLocation: locationAt(event.activeTo ?? null, logRecords),
    sourceType: rule?.name ?? event.rule,
    maximumSpeedKph: roundedSpeed(event.details?.maxSpeed),
    averageSpeedKph: null,
    roadSpeedLimitKph: roundedSpeed(event.details?.speedLimit),
    gForceForwardBackward: null,
    gForceSideToSide: null,
    headingDegrees: null,
    frontCamera: null,
    rearCamera: null,
    extensions: null,
  }),
})

const RETRACTED = ['ExceptionEventStateInvalidId', 'ExceptionEventStateDismissedId']

/** Whether MyGeotab found an event invalid, or a user dismissed it. */
const isRetracted = ({ state }: z.infer<typeof eventSchema>): boolean =>
  state !== null && RETRACTED.includes(state)

const retractedIn = (records: readonly unknown[]): string[] =>
  records.flatMap((record) => {
    const data = parseParts(eventSchema, record)
    return data && isRetracted(data) ? [data.id] : []
  })

/** Ids of MyGeotab's own rules. `types` reports those that it does not know. */
const BUILT_IN_RULE = /^Rule[A-Z]\w*Id$/

const isSafetyRule = (rule: string): boolean => BUILT_IN_RULE.test(rule) && types.orNull(rule) !== null

const roundedSpeed = (speed: number | null | undefined): number | null =>
  speed == null ? null : rounded(speed, 2)

type LoggedPosition = z.infer<typeof logRecord>

/** Maximum time between the start or end of an event and the position that is used for it. */
const NEAR_MS = 60_000

const locationAt = (at: number | null, logs: readonly LoggedPosition[]): Point | null => {
  const nearest = at === null ? undefined : nearestTo(at, logs)
  return nearest ? { longitude: nearest.longitude, latitude: nearest.latitude } : null
}

const nearestTo = <T extends LoggedPosition>(at: number, logs: readonly T[]): T | undefined =>
  logs
    .filter(({ dateTime }) => Math.abs(dateTime - at) <= NEAR_MS)
    .toSorted((one, other) => Math.abs(one.dateTime - at) - Math.abs(other.dateTime - at))[0]

async function join(api: ProviderApi, records: readonly unknown[]): Promise<unknown[]> {
  const events = records
    .map((record) => ({ record, event: parseParts(eventSchema, record) }))
    .filter(({ event }) => event === null || (isSafetyRule(event.rule) && !isRetracted(event)))
  const parsedEvents = events.flatMap(({ event }) => event ?? [])
  const rules = await getByIds(
    api,
    'Rule',
    parsedEvents.map(({ rule }) => rule),
  )
  const logs = await readGpsLogs(api, parsedEvents.map(periodOf))
  const logsOf = new Map(parsedEvents.map((event, index) => [event, endsOf(event, logs[index] ?? [])]))
  return events.map(({ record, event }) => ({
    exceptionEvent: record,
    rule: (event && rules.get(event.rule)) ?? null,
    logRecords: (event && logsOf.get(event)) ?? [],
  }))
}

const periodOf = ({ device, activeFrom, activeTo }: z.infer<typeof eventSchema>): DevicePeriod => ({
  device,
  from: activeFrom - NEAR_MS,
  to: (activeTo ?? activeFrom) + NEAR_MS,
})

/** Selects the positions at the start and end of an event, which are stored with it. */
function endsOf({ activeFrom, activeTo }: z.infer<typeof eventSchema>, logs: readonly GpsLog[]): unknown[] {
  const ends = [nearestTo(activeFrom, logs), activeTo == null ? undefined : nearestTo(activeTo, logs)]
  return [...new Set(ends)].flatMap((log) => log?.record ?? [])
}
