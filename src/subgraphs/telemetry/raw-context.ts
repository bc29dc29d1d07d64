import type { RawPoint, RawRecord } from '../tables/raw-record.ts'

/** Part of the context that the models need: raw data. The whole repository imports the models. */
export interface TelemetryRawContext {
  readonly telemetry: {
    readonly raw: { load(ownerId: string): Promise<RawRecord[]> }
    rawOfPoint(ownerId: string, at: number, series: string): Promise<RawPoint[]>
  }
}
