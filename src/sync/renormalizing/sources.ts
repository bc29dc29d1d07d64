import { type KeptModel, type LatestModel, latestModels } from '../../models.ts'
import type { ProviderAdapter, Reader } from '../../providers/provider.ts'
import type { SourcedDraft } from '../reading/differences.ts'
import { isSeries } from '../../intake/series.ts'
import { type StoredModel, storedModels } from '../reading/stored-models.ts'
import { latestSource } from './latest-source.ts'
import { leftOutSource } from './left-out-source.ts'
import { rowSource, storingRows } from './row-source.ts'
import { seriesSource, storingPoints } from './series-source.ts'
import type { Kept, Source, Whose } from './source.ts'

/** All that is kept of a model, where the adapter reads it: of a list what it showed, then what was left out of it. */
export function sourcesOf(whose: Whose, adapter: ProviderAdapter, model: KeptModel): Source<Kept>[] {
  const readers = { ...adapter.readers, ...adapter.latest } as Partial<Record<KeptModel, Reader<never>>>
  const reader = readers[model]
  if (!reader) return []
  if (isLatest(model)) return [latestSource(whose, model, reader)] as unknown as Source<Kept>[]
  if (isSeries(model)) {
    const also = model === 'VehicleLocation' ? readers.LatestVehicleLocation : undefined
    const stored = seriesSource(whose, model, also ? [reader, also] : [reader])
    return [stored, leftOutSource(whose, model, reader, storingPoints(whose, model))] as Source<never>[]
  }
  const stored = storedModels[model] as unknown as StoredModel<SourcedDraft>
  const mapping = reader as Reader<SourcedDraft>
  return [
    rowSource(whose, stored, mapping),
    leftOutSource(whose, model, mapping, storingRows(whose, stored, mapping)),
  ] as unknown as Source<Kept>[]
}

const isLatest = (model: KeptModel): model is LatestModel =>
  (latestModels as readonly string[]).includes(model)
