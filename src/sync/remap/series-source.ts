import type { Reader } from '../../providers/provider.ts'
import type { RawPoint } from '../../subgraphs/tables/raw-record.ts'
import {
  newOrChangedPoints,
  type TimeSeriesModel,
  type TimeSeriesStore,
  timeSeriesStores,
  storeTimeSeries,
} from '../ingest/time-series-store.ts'
import type { StoreStrategy } from './quarantine-source.ts'
import { rawPointsOf, rawPointsWith, pointKeyText } from './raw-points.ts'
import { mapItems, type RemapSource, type RemapTarget } from './source.ts'

/**
 * Remap source of the raw points of a time series. Locations may also come from latest states, hence several readers.
 */
export function seriesSource(
  { connection }: RemapTarget,
  model: TimeSeriesModel,
  readers: readonly Reader<never>[],
): RemapSource<RawPoint> {
  const series = timeSeriesStores[model] as TimeSeriesStore<never>
  const mapAll = (items: readonly RawPoint[]) => {
    const points = mapItems(model, readers, items).map((record) => ({
      ...record,
      ...series.point(connection, record.normalized, 0),
    }))
    return { points, unmoved: points.filter(({ key, item }) => pointKeyText(key) === pointKeyText(item)) }
  }
  return {
    pages: (db) => rawPointsOf(db, connection, model),
    reread: (tx, items) => rawPointsWith(tx, connection, items),
    async preview(db, items) {
      const { points, unmoved } = mapAll(items)
      const due = (await newOrChangedPoints(db, series, connection, unmoved)).map(({ item }) => item)
      return {
        unreadable: items.length - points.length,
        moved: points.length - unmoved.length,
        due,
        changed: due.length,
      }
    },
    store: (tx, { stamp }, items) =>
      storeTimeSeries(tx, series, connection, '', mapAll(items).unmoved, stamp),
  }
}

/** Returns the strategy that stores quarantined points like a sync. */
export function pointStoreStrategy(
  { connection }: RemapTarget,
  model: TimeSeriesModel,
): StoreStrategy<never> {
  const series = timeSeriesStores[model] as TimeSeriesStore<never>
  const keyOf = ({ normalized }: { readonly normalized: never }) =>
    series.point(connection, normalized, 0).key
  return {
    async newer(db, records) {
      const raws = await rawPointsWith(db, connection, records.map(keyOf))
      const sentAt = new Map(raws.map((point) => [pointKeyText(point), point.extractedAt]))
      return records.filter(
        (record) => (sentAt.get(pointKeyText(keyOf(record))) ?? 0) < record.item.extractedAt,
      )
    },
    store: (tx, { stamp }, parsed) => storeTimeSeries(tx, series, connection, '', parsed, stamp),
  }
}
