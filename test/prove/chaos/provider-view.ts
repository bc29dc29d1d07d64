import type { SyncedModel } from '../../../src/domain/record-models.ts'

/** Provider data, as the proof itself reads it. */

type Json = Readonly<Record<string, unknown>>

/** Provider list of each stored model; `full` lists take no time range. */
export const lists = {
  Group: { path: '/groups', full: true },
  Driver: { path: '/drivers', full: true },
  Vehicle: { path: '/vehicles', full: true },
  Trailer: { path: '/trailers', full: true },
  Device: { path: '/devices', full: true },
  Trip: { path: '/trips', full: false },
  SafetyEvent: { path: '/safety-events', full: false },
  FaultCodeEvent: { path: '/fault-codes', full: false },
  HOSLog: { path: '/hos/logs', full: false },
} as const satisfies Partial<Record<SyncedModel, { path: string; full: boolean }>>

export type ListedModel = keyof typeof lists

interface Period {
  readonly from: number
  readonly to: number
}

/** Reads all pages of a list. */
export async function recordsOf(
  url: string,
  apiKey: string,
  path: string,
  period: Period | null,
): Promise<Json[]> {
  const records: Json[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = new URLSearchParams({
      limit: '500',
      ...(cursor === '' ? {} : { cursor }),
      ...(period
        ? { since: new Date(period.from).toISOString(), until: new Date(period.to).toISOString() }
        : {}),
    })
    const response = await fetch(`${url}${path}?${query}`, { headers: { authorization: `Bearer ${apiKey}` } })
    if (!response.ok) throw new Error(`the provider responded to ${path} with ${response.status}`)
    const page = (await response.json()) as { data: Json[]; cursor: string | null }
    records.push(...page.data)
    cursor = page.cursor
  }
  return records
}
