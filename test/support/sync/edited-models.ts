import type { NormalizedRecords } from '../../../src/domain/record-models.ts'
import { toIso } from '../../../src/domain/time.ts'
import type { Reader } from '../../../src/providers/provider.ts'

/** Values from which a record of any model is made. An edit changes `value`. */
export interface EditedRecord {
  readonly sourceId: string
  /** The vehicle or driver of the record. */
  readonly owner: string
  readonly startedAt: number
  readonly value: number
}

export type EditedModelName = 'Trip' | 'SafetyEvent' | 'FaultCodeEvent' | 'HOSLog' | 'HOSDailyLog'

/**
 * How the provider reports that a record is gone: a list is complete and lacks it, a page names it as removed, or it
 * has a removal time.
 */
type Removal = 'missing' | 'named' | 'marked'

export interface EditedModel<Name extends EditedModelName> {
  readonly field: string
  readonly eventType: string
  readonly table: string
  readonly removal: Removal
  readonly reader: Partial<Pick<Reader<never>, 'completeBy'>>
  normalize(record: EditedRecord, deletedAt: number | null): NormalizedRecords[Name]
  /** GraphQL selection of the value, and its expected answer. */
  readonly selection: string
  answerOf(value: number): object
}

const nothing = { startLocation: null, endLocation: null, endedAt: null }

/** Models whose records the edited provider changes. Together they report removals in every way. */
export const editedModels: { readonly [Name in EditedModelName]: EditedModel<Name> } = {
  Trip: {
    field: 'trips',
    eventType: 'trip.removed',
    table: 'trips',
    removal: 'missing',
    reader: { completeBy: 'vehicle' },
    normalize: ({ sourceId, owner, startedAt, value }) => ({
      ...nothing,
      sourceId,
      vehicleSourceId: owner,
      driverSourceId: null,
      startedAt,
      endedAt: startedAt + 1000,
      distanceKilometers: value,
      durationMilliseconds: 1000,
    }),
    selection: 'distance',
    answerOf: (distance) => ({ distance }),
  },
  HOSLog: {
    field: 'hosLogs',
    eventType: 'hos_log.removed',
    table: 'hos_logs',
    removal: 'missing',
    reader: { completeBy: 'driver' },
    normalize: ({ sourceId, owner, startedAt, value }) => ({
      sourceId,
      status: 'driving',
      driverSourceId: owner,
      vehicleSourceId: null,
      codriverSourceIds: [],
      startedAt,
      endedAt: null,
      location: null,
      remarks: [{ notes: String(value), sourceId: null, submittedAt: null }],
    }),
    selection: 'remarks { notes }',
    answerOf: (value) => ({ remarks: [{ notes: String(value) }] }),
  },
  SafetyEvent: {
    field: 'safetyEvents',
    eventType: 'safety.removed',
    table: 'safety_events',
    removal: 'named',
    reader: {},
    normalize: ({ sourceId, owner, startedAt, value }) => ({
      ...nothing,
      sourceId,
      type: 'speeding',
      vehicleSourceId: owner,
      driverSourceId: null,
      startedAt,
      sourceType: String(value),
      maximumSpeedKph: null,
      averageSpeedKph: null,
      roadSpeedLimitKph: null,
      gForceForwardBackward: null,
      gForceSideToSide: null,
      headingDegrees: null,
      frontCamera: null,
      rearCamera: null,
      extensions: null,
    }),
    selection: 'sourceType',
    answerOf: (value) => ({ sourceType: String(value) }),
  },
  FaultCodeEvent: {
    field: 'faultCodeEvents',
    eventType: 'fault_code.removed',
    table: 'fault_code_events',
    removal: 'marked',
    reader: {},
    normalize: ({ sourceId, owner, startedAt, value }, deletedAt) => ({
      sourceId,
      deletedAt,
      protocol: 'obdii',
      vehicleSourceId: owner,
      status: 'open',
      code: 'P0087',
      description: String(value),
      observedAt: startedAt,
      milStatus: null,
    }),
    selection: 'description',
    answerOf: (value) => ({ description: String(value) }),
  },
  HOSDailyLog: {
    field: 'hosDailyLogs',
    eventType: 'hos_daily_log.removed',
    table: 'hos_daily_logs',
    removal: 'named',
    reader: {},
    normalize: ({ sourceId, owner, startedAt, value }) => ({
      sourceId,
      driverSourceId: owner,
      date: toIso(startedAt).slice(0, 10),
      onDutyMilliseconds: value,
      offDutyMilliseconds: null,
      drivingMilliseconds: null,
      waitingMilliseconds: null,
      sleeperBedMilliseconds: null,
      personalConveyanceMilliseconds: null,
      yardMoveMilliseconds: null,
      totalKilometers: null,
      drivingKilometers: null,
      personalConveyanceKilometers: null,
      yardMoveKilometers: null,
    }),
    selection: 'statusDurations { onDuty }',
    answerOf: (onDuty) => ({ statusDurations: { onDuty } }),
  },
}

export const editedModelNames = Object.keys(editedModels) as readonly EditedModelName[]
