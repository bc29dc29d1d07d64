import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { type RestApp, restAppOver } from '../../prove/support/rest-app.ts'
import type { Store } from '../../prove/support/service-process.ts'
import { addClient } from '../sync/add-client.ts'
import { SyncHarness } from '../sync/sync-harness.ts'

type Wrapped = (adapter: ProviderAdapter) => ProviderAdapter
type Row = Readonly<Record<string, unknown>>

/** Changes the records that the adapter of a model produces. */
export const changedBy =
  <Normalized>(model: string, change: (normalized: Normalized) => Normalized): Wrapped =>
  (adapter) => {
    const reader = (adapter.readers as Record<string, Reader<Normalized>>)[model]
    if (!reader) throw new Error(`no reader of ${model}`)
    const changed = { ...reader, normalize: (raw: unknown) => change(reader.normalize(raw)) }
    return withReader(model, changed)(adapter)
  }

/** Adds or replaces the reader of a model. */
export const withReader =
  (model: string, reader: unknown): Wrapped =>
  (adapter) => ({
    ...adapter,
    readers: { ...adapter.readers, [model]: reader } as ProviderAdapter['readers'],
  })

/** A synced connection, read over REST and GraphQL. */
export class LinkedSync {
  private constructor(
    private readonly harness: SyncHarness,
    private readonly app: RestApp,
  ) {}

  static async start(store: Store, wrapped: Wrapped): Promise<LinkedSync> {
    const harness = await SyncHarness.start(store, { vehicles: 3, wrapped })
    await harness.sync()
    await harness.dispatch()
    return new LinkedSync(harness, restAppOver(harness.db, await addClient(harness.db, harness.connectionId)))
  }

  get(path: string): Promise<{ readonly results: readonly Row[] }> {
    return this.app.get(path)
  }

  query(operation: string): Promise<unknown> {
    return this.app.query(operation)
  }

  /** Returns the details of the events of a type. */
  async eventDetails(type: string): Promise<unknown[]> {
    const { results } = await this.get(`/events?types=${type}`)
    return results.map(({ detail }) => detail)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close()
    await this.harness[Symbol.asyncDispose]()
  }
}
