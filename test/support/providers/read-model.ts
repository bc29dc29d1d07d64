import type { RawRetainedModel } from '../../../src/domain/record-models.ts'
import type { ProviderApi } from '../../../src/providers/provider-api.ts'
import type {
  ProviderAdapter,
  Reader,
  ReaderState,
  Roster,
  TimeWindow,
} from '../../../src/providers/provider.ts'
import { parsePage } from '../../../src/sync/ingest/parse-page.ts'

/** Returns the readers of all models of a provider. */
export const modelReadersOf = ({ readers, latest }: ProviderAdapter) =>
  ({ ...readers, ...latest }) as Readonly<Record<string, Reader<object>>>

interface ModelRead {
  readonly adapter: ProviderAdapter
  readonly model: RawRetainedModel
  readonly api: ProviderApi
  readonly window: TimeWindow
  readonly roster: Roster
}

/** Reads all pages of a model. Also returns the number of rejected records, and the invalid fields of each record that has some. */
export async function readModel({ adapter, model, api, window, roster }: ModelRead) {
  const reader = modelReadersOf(adapter)[model] as Reader<object>
  const normalized: object[] = []
  const invalidFields: (readonly string[])[] = []
  let unreadable = 0
  for (let state: ReaderState | undefined = null; state !== undefined;) {
    const page = await reader.read(api, state, window, roster)
    const parsed = parsePage({ model, reader, asOf: window.to }, page.records, {
      onUnreadable: () => (unreadable += 1),
      onInvalidFields: (names) => invalidFields.push(names),
    })
    normalized.push(...parsed.map((record) => record.normalized))
    state = page.next === null || page.isCaughtUp ? undefined : page.next
  }
  return { normalized, unreadable, invalidFields }
}
