import {
  type ConnectionFilters,
  type FilteredKind,
  filteredKinds,
  type RecordFilter,
} from '../../../src/subgraphs/tables/filtered-connection.ts'
import { hiddenReason } from '../../../src/subgraphs/tables/visibility.ts'
import { Random } from '../../fuzz/random.ts'
import type { Store } from '../../prove/support/service-process.ts'
import { contextsOver } from '../graph/graph-harness.ts'
import { type EditedModelName, editedModelNames, editedModels } from './edited-models.ts'
import { EditedProvider } from './edited-provider.ts'
import { FilteredFleet, type ListedRecord } from './filtered-fleet.ts'
import { type MirroredRecord, readList, RecordMirror } from './record-mirror.ts'

const HOUR_MS = 3_600_000
const STEP_MS = 12 * HOUR_MS
/** The first sync reads six hours into the past. */
const FIRST_STEP_MS = 5 * HOUR_MS
const STARTS_AT = Date.UTC(2026, 8, 1)
const OWNERS = ['0', '1', '2', '3', '4', '5']

const names = { vehicles: 'name', drivers: 'name: firstName' } as const
const ownerKinds: Readonly<Record<EditedModelName, FilteredKind>> = {
  Trip: 'vehicles',
  SafetyEvent: 'vehicles',
  FaultCodeEvent: 'vehicles',
  HOSLog: 'drivers',
  HOSDailyLog: 'drivers',
}

interface OwnedRecord extends MirroredRecord {
  readonly owner: { readonly id: string }
}

interface RosterRecord extends MirroredRecord {
  readonly name: string
  readonly metadata: MirroredRecord['metadata'] & { readonly visibility: string }
}

/** What each side has of a list. The copy must equal what is served, and what is shown must equal what is provided. */
interface Comparison {
  readonly list: string
  readonly copied: readonly MirroredRecord[]
  readonly served: readonly MirroredRecord[]
  readonly shown: readonly object[]
  readonly provided: readonly object[]
}

/** A fleet whose provider edits records and whose caller changes filters, with a reader that keeps a copy. */
export class FilteredMonth implements AsyncDisposable {
  private filters: ConnectionFilters | null = null
  private readonly changes = { filters: 0, roster: 0, emptyLists: 0 }

  private constructor(
    private readonly random: Random,
    private readonly provider: EditedProvider,
    private readonly fleet: FilteredFleet,
    private readonly rosters: Readonly<Record<FilteredKind, RecordMirror>>,
    private readonly records: Readonly<Record<EditedModelName, RecordMirror>>,
    private readonly read: (list: Parameters<typeof readList>[2]) => Promise<MirroredRecord[]>,
  ) {}

  static async start(store: Store, seed: number): Promise<FilteredMonth> {
    const provider = new EditedProvider(seed, OWNERS)
    const fleet = await FilteredFleet.start(store, OWNERS.length, {
      readers: provider.readers,
      startsAt: STARTS_AT,
    })
    for (const kind of filteredKinds)
      for (const sourceId of OWNERS)
        fleet.listed[kind].set(sourceId, { status: statusOf(sourceId), name: kind })
    const contextFor = contextsOver(fleet.harness.db)
    const client = await fleet.harness.client()
    const mirrors = <Name extends string>(
      of: readonly Name[],
      listOf: (name: Name) => { field: string; selection: string; args?: string },
    ) =>
      Object.fromEntries(
        of.map((name) => [name, new RecordMirror(contextFor, client, listOf(name))]),
      ) as Record<Name, RecordMirror>
    return new FilteredMonth(
      new Random(seed),
      provider,
      fleet,
      mirrors(filteredKinds, rosterList),
      mirrors(editedModelNames, recordList),
      (list) => readList(contextFor, client, list),
    )
  }

  counts() {
    return { ...this.provider.edits, ...this.changes }
  }

  async step(step: number): Promise<void> {
    const { random, provider } = this
    const { harness } = this.fleet
    if (step > 0) harness.moveClock(STEP_MS)
    provider.step(harness.tools.clock.now(), step === 0 ? FIRST_STEP_MS : STEP_MS)
    const acts = [
      () => this.changeFilters(),
      () => this.fleet.stamp(),
      () => this.editRoster(),
      () => harness.sync(),
      () => this.catchUp(0.4),
      () => this.catchUp(0.4),
    ]
    for (const act of random.some(acts, 0.6)) await act()
    await this.syncEmpty()
    await harness.sync()
  }

  /** Brings the copy in step. Returns what the copy, the service and the provider have, for each list. */
  async comparisons(): Promise<Comparison[]> {
    await this.fleet.stamp()
    await this.catchUp(1)
    const [rosters, records] = [
      await Promise.all(filteredKinds.map((kind) => this.compareRoster(kind))),
      await Promise.all(editedModelNames.map((name) => this.compareRecords(name))),
    ]
    return [...rosters, ...records]
  }

  private async compareRoster(kind: FilteredKind): Promise<Comparison> {
    const served = (await this.read(rosterList(kind))) as RosterRecord[]
    const shown = served.filter(({ metadata }) => metadata.visibility === 'VISIBLE')
    const provided = [...this.fleet.listed[kind]].filter(([sourceId]) => this.isShown(kind, sourceId))
    return {
      list: kind,
      copied: byId([...this.rosters[kind].copy.values()]),
      served: byId(served),
      shown: bySourceId(shown.map(({ sourceId, name }) => ({ sourceId, name }))),
      provided: bySourceId(provided.map(([sourceId, { name }]) => ({ sourceId, name }))),
    }
  }

  private async compareRecords(name: EditedModelName): Promise<Comparison> {
    const kind = ownerKinds[name]
    const served = (await this.read(recordList(name))) as OwnedRecord[]
    // A copy keeps the records of hidden owners, and does not show them.
    const copied = [...this.records[name].copy.values()] as OwnedRecord[]
    const provided = this.provider.recordsOf(name).filter(({ owner }) => this.isShown(kind, owner))
    return {
      list: name,
      copied: byId(copied.filter(({ owner }) => this.isVisibleInCopy(kind, owner.id))),
      served: byId(served),
      shown: bySourceId(served.map(({ id: _, metadata: __, owner: ___, ...record }) => record)),
      provided: bySourceId(
        provided.map(({ sourceId, value }) => ({ sourceId, ...editedModels[name].answerOf(value) })),
      ),
    }
  }

  private isShown(kind: FilteredKind, sourceId: string): boolean {
    const filter = this.filters?.[kind]
    if (!filter) return true
    return hiddenReason(filter, { id: this.fleet.idOf(kind, sourceId), status: statusOf(sourceId) }) === null
  }

  private isVisibleInCopy(kind: FilteredKind, id: string): boolean {
    const record = this.rosters[kind].copy.get(id) as RosterRecord | undefined
    return record?.metadata.visibility === 'VISIBLE'
  }

  private async catchUp(probability: number): Promise<void> {
    const mirrors = [...Object.values(this.rosters), ...Object.values(this.records)]
    for (const mirror of this.random.some(mirrors, probability)) await mirror.catchUp()
  }

  private async changeFilters(): Promise<void> {
    const { random } = this
    this.changes.filters += 1
    this.filters = random.chance(0.2)
      ? null
      : { vehicles: this.anyFilter('vehicles'), drivers: this.anyFilter('drivers') }
    await this.fleet.changeFilters(this.filters)
  }

  private anyFilter(kind: FilteredKind): RecordFilter {
    const { random } = this
    const ids = (probability: number) =>
      random.some(OWNERS, probability).map((sourceId) => this.fleet.idOf(kind, sourceId))
    return {
      ...(random.chance(0.3) ? { status: random.pick(['active', 'inactive'] as const) } : {}),
      ...(random.chance(0.3) ? { includeIds: ids(0.5) } : {}),
      ...(random.chance(0.5) ? { excludeIds: ids(0.4) } : {}),
    }
  }

  private async editRoster(): Promise<void> {
    for (const kind of filteredKinds)
      for (const sourceId of this.random.some(OWNERS, 0.2)) {
        this.changes.roster += 1
        this.fleet.listed[kind].set(sourceId, this.listedRecord(sourceId))
      }
  }

  /** Syncs with an empty list, as of an account without permission. Its records must stay. */
  private async syncEmpty(): Promise<void> {
    if (!this.random.chance(0.2)) return
    this.changes.emptyLists += 1
    const list = this.fleet.listed[this.random.pick(filteredKinds)]
    const before = [...list]
    list.clear()
    await this.fleet.harness.sync()
    for (const [sourceId, record] of before) list.set(sourceId, record)
  }

  private listedRecord(sourceId: string): ListedRecord {
    return { status: statusOf(sourceId), name: `edited ${this.random.below(1000)}` }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.fleet[Symbol.asyncDispose]()
  }
}

/** The status stays: syncs find the earlier records of a vehicle that becomes visible by its status in a window only. */
const statusOf = (sourceId: string) => (Number(sourceId) % 3 === 2 ? 'inactive' : 'active')

const rosterList = (kind: FilteredKind) => ({
  field: kind,
  selection: `${names[kind]} metadata { visibility }`,
  args: 'hidden: true',
})

const recordList = (name: EditedModelName) => {
  const { field, selection } = editedModels[name]
  const owner = ownerKinds[name] === 'vehicles' ? 'vehicle' : 'driver'
  return { field, selection: `${selection} owner: ${owner} { id }` }
}

const byId = <Record extends { readonly id: string }>(records: readonly Record[]): Record[] =>
  records.toSorted((one, other) => (one.id < other.id ? -1 : 1))

const bySourceId = <Record extends { readonly sourceId: string }>(records: readonly Record[]): Record[] =>
  records.toSorted((one, other) => (one.sourceId < other.sourceId ? -1 : 1))
