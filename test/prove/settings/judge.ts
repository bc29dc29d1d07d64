import type { Timeline } from './timeline.ts'

/** Settings of an endpoint that decide which events it gets. */
export interface EndpointSettings {
  readonly types: readonly string[]
  readonly connectionIds: readonly string[] | null
  readonly tags: readonly string[] | null
  readonly isEnabled: boolean
}

export interface WrittenEvent {
  readonly id: string
  readonly type: string
  readonly connectionId: string
  readonly position: number
  /** Moment before its transaction. */
  readonly begun: number
}

export interface EndpointHistory {
  readonly id: string
  readonly settings: Timeline<EndpointSettings>
  /** First moment at which the endpoint received an event, by event id. */
  readonly receipts: ReadonlyMap<string, number>
  /** Positions of the endpoint in the log, as read before each change. */
  readonly positions: readonly { readonly moment: number; readonly position: number }[]
}

export interface Verdict {
  /** Pairs of an event and an endpoint on which all possible settings agree. */
  readonly decided: number
  /** Pairs on which the settings around the event differ: the endpoint may or may not get the event. */
  readonly free: number
  readonly missing: readonly string[]
  readonly unwanted: readonly string[]
}

/**
 * Compares what endpoints received with the history of the settings. An event must arrive if all settings that may have
 * decided on it want it. It must not arrive if none of them does. The settings that may decide are those in force
 * between the event and the moment at which the endpoint has passed it. An endpoint passes no event while it is disabled.
 */
export function judge(
  events: readonly WrittenEvent[],
  endpoints: readonly EndpointHistory[],
  tagsOf: ReadonlyMap<string, Timeline<readonly string[]>>,
): Verdict {
  const [missing, unwanted]: [string[], string[]] = [[], []]
  let [decided, free] = [0, 0]
  for (const endpoint of endpoints) {
    let sample = 0
    for (const event of events) {
      while ((endpoint.positions[sample]?.position ?? Infinity) < event.position) sample++
      const received = endpoint.receipts.get(event.id)
      const until = received ?? endpoint.positions[sample]?.moment ?? Infinity
      const answers = answersOf(event, endpoint.settings, tagsOf, until)
      if (answers.size === 1) decided++
      else free++
      const pair = `${event.id} (${event.type}, position ${event.position}) at ${endpoint.id}`
      if (received === undefined && !answers.has(false)) missing.push(pair)
      if (received !== undefined && !answers.has(true)) unwanted.push(pair)
    }
  }
  return { decided, free, missing, unwanted }
}

/** Answers of all settings that may have decided, until a moment. */
function answersOf(
  { type, connectionId, begun }: WrittenEvent,
  settings: Timeline<EndpointSettings>,
  tagsOf: ReadonlyMap<string, Timeline<readonly string[]>>,
  until: number,
): ReadonlySet<boolean> {
  const answers = new Set<boolean>()
  const versions = tagsOf.get(connectionId)?.during(begun, until) ?? []
  const states = [...new Map(versions.map((version) => [version.join(), version])).values()]
  for (const { types, connectionIds, tags, isEnabled } of settings.during(begun, until)) {
    if (answers.size === 2) break
    if (!isEnabled) continue
    const isListed = types.includes(type) && (connectionIds?.includes(connectionId) ?? true)
    if (!isListed || tags === null) answers.add(isListed)
    else for (const state of states) answers.add(tags.some((tag) => state.includes(tag)))
  }
  return answers.size === 0 ? new Set([false]) : answers
}
