import type { RawRecord } from '../tables/raw-record.ts'

/** Part of the context that the models need: the raw data of a record. The whole repository imports the models. */
export interface RawContext {
  readonly records: { readonly raw: { load(ownerId: string): Promise<RawRecord[]> } }
}
