import type { RawPoint, RawRecord } from '../tables/raw-record.ts'

/**
 * Part of the request context from which the models load raw data. The models cannot import the type of the repository,
 * because the repository imports the models.
 */
export interface TelemetryRawContext {
  readonly telemetry: {
    readonly raw: { load(ownerId: string): Promise<RawRecord[]> }
    rawOfPoint(ownerId: string, at: number, series: string): Promise<RawPoint[]>
  }
}
