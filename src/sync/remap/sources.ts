import { type RawRetainedModel, type LatestModel, latestModels } from '../../domain/record-models.ts'
import type { ProviderAdapter, Reader } from '../../providers/provider.ts'
import type { NormalizedRecord } from '../pipeline/diff-page.ts'
import { isTimeSeries } from '../ingest/time-series-store.ts'
import { type StoredModel, storedModels } from '../pipeline/stored-models.ts'
import { latestSource } from './latest-source.ts'
import { quarantineSource } from './quarantine-source.ts'
import { rowSource, rowStoreStrategy } from './row-source.ts'
import { seriesSource, pointStoreStrategy } from './series-source.ts'
import type { KeptRecord, RemapSource, RemapTarget } from './source.ts'

/** All that is kept of a model, where the adapter reads it: of a list what it showed, then what was left out of it. */
export function sourcesOf(
  whose: RemapTarget,
  adapter: ProviderAdapter,
  model: RawRetainedModel,
): RemapSource<KeptRecord>[] {
  const readers = { ...adapter.readers, ...adapter.latest } as Partial<
    Record<RawRetainedModel, Reader<never>>
  >
  const reader = readers[model]
  if (!reader) return []
  if (isLatest(model)) return [latestSource(whose, model, reader)] as unknown as RemapSource<KeptRecord>[]
  if (isTimeSeries(model)) {
    const also = model === 'VehicleLocation' ? readers.LatestVehicleLocation : undefined
    const stored = seriesSource(whose, model, also ? [reader, also] : [reader])
    return [
      stored,
      quarantineSource(whose, model, reader, pointStoreStrategy(whose, model)),
    ] as RemapSource<never>[]
  }
  const stored = storedModels[model] as unknown as StoredModel<NormalizedRecord>
  const mapping = reader as Reader<NormalizedRecord>
  return [
    rowSource(whose, model, stored, mapping),
    quarantineSource(whose, model, mapping, rowStoreStrategy(whose, stored, mapping)),
  ] as unknown as RemapSource<KeptRecord>[]
}

const isLatest = (model: RawRetainedModel): model is LatestModel =>
  (latestModels as readonly string[]).includes(model)
