import { type VersionsBetween, TimedRecordStore } from '../stores/timed-record-store.ts'
import { PointStore } from '../stores/point-store.ts'
import type { EntityStore } from '../stores/entity-store.ts'
import { type ListedEntity, SnapshotStore } from '../stores/snapshot-store.ts'
import type { Ms } from '../../world/truth.ts'
import { DeviceStatusInfos } from '../records/device-status-info.ts'
import { devices } from '../records/device.ts'
import { allFailureModes, controllers, diagnostics } from '../records/diagnostics.ts'
import { driverChangeVersions } from '../records/driver-change.ts'
import { annotationVersions, dutyVersions } from '../records/duty-status-log.ts'
import { exceptionVersions } from '../records/exception-event.ts'
import { faultVersions } from '../records/fault-data.ts'
import type { Fleet } from './fleet.ts'
import { FuelTaxDetails } from '../records/fuel-tax-detail.ts'
import { kindsOfLogRecord, toLogRecord } from '../records/log-record.ts'
import { mediaVersions } from '../records/media-file.ts'
import { kindsOfStatusData, toStatusData } from '../records/status-data.ts'
import { trailers } from '../records/trailer.ts'
import { rules } from '../records/rules.ts'
import { tripVersions } from '../records/trip.ts'
import { groups, users } from '../records/user.ts'

/** A store that is updated to the time of the clock. */
type UpdatableStore = EntityStore & { updateTo(now: Ms): void }

export interface EntityKind {
  readonly open: (fleet: Fleet) => UpdatableStore
  /** Null for a type without a feed. */
  readonly feedLimit: number | null
  readonly getLimit: number
  /** What happens to more results than the limit: they are cut silently, or the request is refused. */
  readonly beyond: 'cut' | 'refused'
  readonly canSortById: boolean
  /** Time fields that are compared with the period of a search. */
  readonly time: 'dateTime' | 'stop' | 'active' | 'media' | 'none'
}

const MAX_RESULTS = 50_000

const roster = (list: (fleet: Fleet) => readonly ListedEntity[], feedLimit: number | null): EntityKind => ({
  open: (fleet) => new SnapshotStore(() => list(fleet)),
  feedLimit,
  getLimit: 5_000,
  beyond: 'cut',
  canSortById: true,
  time: 'none',
})

type VersionsOf = (fleet: Fleet, ...times: Parameters<VersionsBetween>) => ReturnType<VersionsBetween>

const events = (versionsOf: VersionsOf, kind: Partial<EntityKind> = {}): EntityKind => ({
  open: (fleet) => new TimedRecordStore((since, until) => versionsOf(fleet, since, until)),
  feedLimit: MAX_RESULTS,
  getLimit: MAX_RESULTS,
  beyond: 'refused',
  canSortById: true,
  time: 'dateTime',
  ...kind,
})

const points = (
  shape: (fleet: Fleet) => Pick<ConstructorParameters<typeof PointStore>[0], 'kinds' | 'toEntity'>,
): EntityKind => ({
  ...events(() => []),
  open: (fleet) =>
    new PointStore({
      ...shape(fleet),
      vehicles: () => fleet.vehicleNumbers(),
      points: fleet.points,
      vehicleOf: (id) => fleet.vehicleOf(id),
    }),
})

export const catalogue: Readonly<Record<string, EntityKind>> = {
  Device: roster(devices, 5_000),
  User: roster(users, 5_000),
  Group: roster(groups, null),
  Trailer: roster(trailers, MAX_RESULTS),
  Rule: roster(rules, 10_000),
  Diagnostic: { ...roster(diagnostics, MAX_RESULTS), getLimit: MAX_RESULTS },
  FailureMode: roster(allFailureModes, null),
  Controller: roster(controllers, null),
  DeviceStatusInfo: {
    ...roster(() => [], MAX_RESULTS),
    open: (fleet) => new DeviceStatusInfos(fleet),
    getLimit: MAX_RESULTS,
  },
  FuelTaxDetail: {
    ...events(() => [], { time: 'none', feedLimit: 10_000, getLimit: 10_000 }),
    open: (fleet) => new FuelTaxDetails(fleet),
  },
  Trip: events(tripVersions, { time: 'stop' }),
  ExceptionEvent: events(exceptionVersions, {
    time: 'active',
    getLimit: 5_000,
    beyond: 'cut',
    canSortById: false,
  }),
  FaultData: events(faultVersions),
  DutyStatusLog: events(dutyVersions),
  AnnotationLog: events(annotationVersions),
  DriverChange: events(driverChangeVersions),
  MediaFile: events(mediaVersions, { time: 'media', feedLimit: 10_000, getLimit: 10_000 }),
  LogRecord: points((fleet) => ({ kinds: kindsOfLogRecord(fleet), toEntity: toLogRecord })),
  StatusData: points((fleet) => ({
    kinds: kindsOfStatusData(fleet),
    toEntity: (...reported) => toStatusData(fleet, ...reported),
  })),
}

/** Stores of a database by type. Each request updates the one that it reads. */
export class EntityStores {
  private readonly stores = new Map<string, UpdatableStore>()

  constructor(private readonly fleet: Fleet) {}

  of(typeName: string, kind: EntityKind): EntityStore {
    const { now } = this.fleet.world
    const store = this.stores.get(typeName) ?? kind.open(this.fleet)
    this.stores.set(typeName, store)
    store.updateTo(now)
    return store
  }

  /** Drops all data. The next requests compute it again, with the current switches. */
  dropStores(): void {
    this.stores.clear()
  }
}
