import { type RawRetainedModel, type LatestModel, latestModels } from '../../domain/record-models.ts'
import type { ProviderAdapter, Reader } from '../../providers/provider.ts'
import { isTimeSeries } from '../ingest/time-series-store.ts'
import { type NormalizedRecord, storedModelOf } from '../pipeline/stored-models.ts'
import { latestSource } from './latest-source.ts'
import { quarantineSource } from './quarantine-source.ts'
import { rowSource, rowStoreStrategy } from './row-source.ts'
import { seriesSource, pointStoreStrategy } from './series-source.ts'
import type { KeptRecord, RemapSource, RemapTarget } from './source.ts'

/**
 * Returns the remap sources of a model: its stored records, then its quarantined ones. There are none if the adapter
 * does not read the model. Latest states have no quarantine.
 */
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
    const points = seriesSource(target, model, latestReader ? [reader, latestReader] : [reader])
    return [points, quarantineSource(target, model, reader, pointStoreStrategy(target, model))]
  }
  const storedModel = storedModelOf(model)
  const rowReader = reader as Reader<NormalizedRecord>
  return [
    rowSource(target, model, storedModel, rowReader),
    quarantineSource(target, model, rowReader, rowStoreStrategy(target, storedModel, rowReader)),
  ]
}

const isLatest = (model: RawRetainedModel): model is LatestModel =>
  (latestModels as readonly string[]).includes(model)
