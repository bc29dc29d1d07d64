import type { Reader } from '../../providers/provider.ts'
import type { RawPoint } from '../../subgraphs/tables/raw-record.ts'
import {
  newPoints,
  type TimeSeriesModel,
  type TimeSeriesStore,
  timeSeriesStores,
  storeTimeSeries,
} from '../ingest/time-series-store.ts'
import type { StoreStrategy } from './quarantine-source.ts'
import { rawPointsOf, rawPointsWith, textOf } from './raw-points.ts'
import { mapItems, type RemapSource, type RemapTarget } from './source.ts'

/** The points of a series. Those of places may have been sent as where a vehicle is now, too. */
export function seriesSource(
  { connection }: RemapTarget,
  model: TimeSeriesModel,
  readers: readonly Reader<never>[],
): RemapSource<RawPoint> {
  const series = timeSeriesStores[model] as TimeSeriesStore<never>
  const mapped = (items: readonly RawPoint[]) => {
    const points = mapItems(model, readers, items).map((read) => ({
      ...read,
      ...series.point(connection, read.normalized, 0),
    }))
    return { points, stayed: points.filter(({ key, item }) => textOf(key) === textOf(item)) }
  }
  return {
    pages: (db) => rawPointsOf(db, connection, model),
    reread: (tx, items) => rawPointsWith(tx, connection, items),
    async preview(db, items) {
      const { points, stayed } = mapped(items)
      const due = (await newPoints(db, series, connection, stayed)).map(({ item }) => item)
      return {
        unreadable: items.length - points.length,
        moved: points.length - stayed.length,
        due,
        changed: due.length,
      }
    },
    store: (tx, { stamp }, items) => storeTimeSeries(tx, series, connection, '', mapped(items).stayed, stamp),
  }
}

/** What a sync does with the points of a page. */
export function pointStoreStrategy(
  { connection }: RemapTarget,
  model: TimeSeriesModel,
): StoreStrategy<never> {
  const series = timeSeriesStores[model] as TimeSeriesStore<never>
  const keyOf = ({ normalized }: { readonly normalized: never }) =>
    series.point(connection, normalized, 0).key
  return {
    async fresh(db, reads) {
      const there = await rawPointsWith(db, connection, reads.map(keyOf))
      const sentAt = new Map(there.map((point) => [textOf(point), point.extractedAt]))
      return reads.filter((read) => (sentAt.get(textOf(keyOf(read))) ?? 0) < read.item.extractedAt)
    },
    store: (tx, { stamp }, parsed) => storeTimeSeries(tx, series, connection, '', parsed, stamp),
  }
}
