import type { Reader } from '../../providers/provider.ts'
import type { RawPoint } from '../../subgraphs/raw-record.ts'
import {
  newsOf,
  type SeriesModel,
  type StoredSeries,
  storedSeries,
  storeSeries,
} from '../../intake/series.ts'
import type { Storing } from './left-out-source.ts'
import { rawPointsOf, rawPointsWith, textOf } from './raw-points.ts'
import { mappedBy, type Source, type Whose } from './source.ts'

/** The points of a series. Those of places may have been sent as where a vehicle is now, too. */
export function seriesSource(
  { connection }: Whose,
  model: SeriesModel,
  readers: readonly Reader<never>[],
): Source<RawPoint> {
  const series = storedSeries[model] as StoredSeries<never>
  const mapped = (items: readonly RawPoint[]) => {
    const points = mappedBy(readers, items).map((read) => ({
      ...read,
      ...series.point(connection, read.draft, 0),
    }))
    return { points, stayed: points.filter(({ key, item }) => textOf(key) === textOf(item)) }
  }
  return {
    pages: (db) => rawPointsOf(db, connection, model),
    again: (tx, items) => rawPointsWith(tx, connection, items),
    async look(db, items) {
      const { points, stayed } = mapped(items)
      const due = (await newsOf(db, series, connection, stayed)).map(({ item }) => item)
      return {
        unreadable: items.length - points.length,
        moved: points.length - stayed.length,
        due,
        changed: due.length,
      }
    },
    store: (tx, { stamp }, items) => storeSeries(tx, series, connection, '', mapped(items).stayed, stamp),
  }
}

/** What a sync does with the points of a page. */
export function storingPoints({ connection }: Whose, model: SeriesModel): Storing<never> {
  const series = storedSeries[model] as StoredSeries<never>
  const keyOf = ({ draft }: { readonly draft: never }) => series.point(connection, draft, 0).key
  return {
    async fresh(db, reads) {
      const there = await rawPointsWith(db, connection, reads.map(keyOf))
      const sentAt = new Map(there.map((point) => [textOf(point), point.extractedAt]))
      return reads.filter((read) => (sentAt.get(textOf(keyOf(read))) ?? 0) < read.item.extractedAt)
    },
    store: (tx, { stamp }, reads) => storeSeries(tx, series, connection, '', reads, stamp),
  }
}
