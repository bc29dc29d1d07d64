import type { RawRecord } from '../tables/raw-record.ts'

/**
 * Part of the request context from which the models load raw data. The models cannot import the type of the repository,
 * because the repository imports the models.
 */
export interface RawContext {
  readonly records: { readonly raw: { load(ownerId: string): Promise<RawRecord[]> } }
}
