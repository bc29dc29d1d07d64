import { type RawRetainedModel, type LatestModel, latestModels } from '../../domain/record-models.ts'
import type { ProviderAdapter, Reader } from '../../providers/provider.ts'
import { isTimeSeries } from '../ingest/time-series-store.ts'
import { type NormalizedRecord, rowModel } from '../pipeline/stored-models.ts'
import { latestSource } from './latest-source.ts'
import { quarantineSource } from './quarantine-source.ts'
import { rowSource, rowStoreStrategy } from './row-source.ts'
import { seriesSource, pointStoreStrategy } from './series-source.ts'
import type { KeptRecord, RemapSource, RemapTarget } from './source.ts'

/** Returns the sources of a model that the adapter reads: its stored records, then its quarantined ones. */
export function sourcesOf(
  target: RemapTarget,
  adapter: ProviderAdapter,
  model: RawRetainedModel,
): RemapSource<KeptRecord>[] {
  const readers = { ...adapter.readers, ...adapter.latest } as Partial<
    Record<RawRetainedModel, Reader<never>>
  >
  const reader = readers[model]
  if (!reader) return []
  if (isLatest(model)) return [latestSource(target, model, reader)]
  if (isTimeSeries(model)) {
    const latestReader = model === 'VehicleLocation' ? readers.LatestVehicleLocation : undefined
    const stored = seriesSource(target, model, latestReader ? [reader, latestReader] : [reader])
    return [stored, quarantineSource(target, model, reader, pointStoreStrategy(target, model))]
  }
  const stored = rowModel(model)
  const mapping = reader as Reader<NormalizedRecord>
  return [
    rowSource(target, model, stored, mapping),
    quarantineSource(target, model, mapping, rowStoreStrategy(target, stored, mapping)),
  ]
}

const isLatest = (model: RawRetainedModel): model is LatestModel =>
  (latestModels as readonly string[]).includes(model)
