import type { ProviderAdapter, Reader, ReadPage, TimeWindow } from '../../../src/providers/provider.ts'
import { Random } from '../../fuzz/random.ts'
import {
  type EditedModel,
  type EditedModelName,
  editedModelNames,
  editedModels,
  type EditedRecord,
} from './edited-models.ts'

const OWNERS = ['owner-1', 'owner-2']
const HOUR_MS = 3_600_000
/** Maximum age of an edited record. Up to this age, the next sync reads it, and a record that stays is before it. */
const EDITABLE_MS = 30 * HOUR_MS

interface Removed {
  readonly record: EditedRecord
  readonly at: number
}

/**
 * A provider whose fleet adds, changes, removes and restores records at random. Each step starts with a record of each
 * owner that stays. A list that lacks later records of the owner then shows that they were removed.
 */
export class EditedProvider {
  private readonly records: Readonly<Record<EditedModelName, Map<string, EditedRecord>>>
  private readonly removed: Readonly<Record<EditedModelName, Map<string, Removed>>>
  private readonly random: Random
  private count = 0
  readonly edits = { added: 0, changed: 0, removed: 0, restored: 0 }

  constructor(
    seed: number,
    private readonly owners: readonly string[] = OWNERS,
  ) {
    this.random = new Random(seed)
    const perModel = <Value>(make: () => Value) =>
      Object.fromEntries(editedModelNames.map((name) => [name, make()])) as Record<EditedModelName, Value>
    this.records = perModel(() => new Map<string, EditedRecord>())
    this.removed = perModel(() => new Map<string, Removed>())
  }

  /** Returns the adapter with the records of this provider in place of its own. */
  readonly wrapped = (adapter: ProviderAdapter): ProviderAdapter => ({
    ...adapter,
    readers: this.readers,
    latest: {},
  })

  /** Readers of the records of this provider. */
  get readers(): ProviderAdapter['readers'] {
    return Object.fromEntries(editedModelNames.map((name) => [name, this.readerOf(name)]))
  }

  /** Adds records for the time since the last step, and edits earlier ones. */
  step(now: number, stepMs: number): void {
    for (const name of editedModelNames) {
      for (const owner of this.owners) this.add(name, `anchor-${(this.count += 1)}`, owner, now - stepMs + 1)
      this.times(4, () =>
        this.add(
          name,
          `record-${(this.count += 1)}`,
          this.random.pick(this.owners),
          this.timeSince(now, stepMs),
        ),
      )
      this.times(3, () => this.change(name, now))
      this.times(3, () => this.remove(name, now))
      this.times(2, () => this.restore(name, now))
    }
  }

  /** Returns the value of each record that the provider has, by source id. */
  valuesOf(name: EditedModelName): Map<string, number> {
    return new Map(this.recordsOf(name).map(({ sourceId, value }) => [sourceId, value]))
  }

  recordsOf(name: EditedModelName): EditedRecord[] {
    return [...this.records[name].values()]
  }

  private add(name: EditedModelName, sourceId: string, owner: string, startedAt: number): void {
    this.records[name].set(sourceId, { sourceId, owner, startedAt, value: 1 + this.random.below(1000) })
    this.edits.added += 1
  }

  private change(name: EditedModelName, now: number): void {
    const record = this.pickOr(this.editable(name, now))
    if (!record) return
    this.records[name].set(record.sourceId, { ...record, value: record.value + 1 })
    this.edits.changed += 1
  }

  private remove(name: EditedModelName, now: number): void {
    const record = this.pickOr(this.editable(name, now))
    if (!record) return
    this.records[name].delete(record.sourceId)
    this.removed[name].set(record.sourceId, { record, at: now })
    this.edits.removed += 1
  }

  private restore(name: EditedModelName, now: number): void {
    const removed = this.pickOr(
      [...this.removed[name].values()].filter(({ record }) => isEditable(record, now)),
    )
    if (!removed) return
    this.removed[name].delete(removed.record.sourceId)
    this.records[name].set(removed.record.sourceId, removed.record)
    this.edits.restored += 1
  }

  private editable(name: EditedModelName, now: number): EditedRecord[] {
    return [...this.records[name].values()].filter((record) => isEditable(record, now))
  }

  private readerOf<Name extends EditedModelName>(name: Name): Reader<object> {
    const model = editedModels[name] as unknown as EditedModel<EditedModelName>
    return {
      mode: 'window',
      schema: 'record',
      ...model.reader,
      read: (_api, _state, window) => Promise.resolve(this.read(name, model, window)),
      normalize: (raw) => {
        const { record, at } = raw as { record: EditedRecord; at: number | null }
        return model.normalize(record, at)
      },
    }
  }

  private read(
    name: EditedModelName,
    { removal }: EditedModel<EditedModelName>,
    window: TimeWindow,
  ): ReadPage {
    const isWithin = ({ startedAt }: EditedRecord) => startedAt >= window.from && startedAt < window.to
    const present = [...this.records[name].values()].filter(isWithin).map((record) => ({ record, at: null }))
    const removed = [...this.removed[name].values()].filter(({ record }) => isWithin(record))
    return {
      records: removal === 'marked' ? [...present, ...removed] : present,
      next: null,
      ...(removal === 'named' ? { removed: removed.map(({ record }) => record.sourceId) } : {}),
    }
  }

  private times(most: number, act: () => void): void {
    for (let left = this.random.below(most + 1); left > 0; left -= 1) act()
  }

  private timeSince(now: number, stepMs: number): number {
    return now - 1 - this.random.below(stepMs - HOUR_MS)
  }

  private pickOr<T>(choices: readonly T[]): T | null {
    return choices.length === 0 ? null : this.random.pick(choices)
  }
}

const isEditable = ({ sourceId, startedAt }: EditedRecord, now: number): boolean =>
  !sourceId.startsWith('anchor') && startedAt >= now - EDITABLE_MS
