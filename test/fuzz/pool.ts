import type { JsonObject, Subject } from '../conformance/subject.ts'

/** Ids, cursors and texts of the fleet, so that requests find records. */
export interface Pool {
  readonly ids: readonly string[]
  readonly cursors: readonly string[]
  readonly texts: readonly string[]
}

const LISTS = [
  ['/connections', '/vehicles', '/drivers', '/trailers', '/groups', '/devices', '/trips', '/hos/logs'],
  ['/hos/daily-logs', '/safety/events', '/fault-codes/events', '/syncs', '/issues', '/vehicles/locations'],
].flat()

export async function poolOf(subject: Subject): Promise<Pool> {
  const ids: string[] = []
  const cursors: string[] = []
  const texts = new Set<string>()
  for (const path of LISTS) {
    const { status, body } = await subject.get(`${path}?limit=3`)
    if (status !== 200) continue
    const { results, next } = body as { results: JsonObject[]; next?: string }
    if (next) cursors.push(next)
    for (const [text] of JSON.stringify(results).matchAll(/[a-z]+(?:_[a-z]+)*_[0-9A-HJKMNP-TV-Z]{26}/g))
      ids.push(text)
    for (const row of results)
      for (const value of Object.values(row)) if (typeof value === 'string') texts.add(value)
  }
  return { ids: [...new Set(ids)], cursors, texts: [...texts].slice(0, 200) }
}
