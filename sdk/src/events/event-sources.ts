import type { ListOperation } from '../operations.ts'
import type { Event } from '../generated.ts'
import type { AskGraphQL, HeadersOf } from '../graphql.ts'
import type { TransportSettings } from '../transport.ts'
import { eventStream } from './event-stream.ts'
import { type EventSource, followEvents, type Following } from './follow-events.ts'

/** Gives events as they happen, without an end. */
export type FollowEvents = (following?: Following) => AsyncGenerator<Event, void, undefined>

/** Who follows: where, how patiently, and with which headers. */
interface Caller extends Pick<TransportSettings, 'fetch' | 'longestWaitMs' | 'wait'> {
  /** With no slash at the end. */
  readonly baseUrl: string
  readonly headers: HeadersOf
}

/** Follows the log as an application: streamed over GraphQL, or over REST by pages. */
export const followByKey =
  (caller: Caller, list: ListOperation<'listEvents'>): FollowEvents =>
  (following = {}) =>
    followEvents(
      {
        ...streamOf(caller, following),
        read: (after) => list({ after, ...wantedOf(following) }, { signal: following.signal }),
      },
      following,
    )

/** Follows it as a session, for which there is no REST. */
export const followBySession =
  (caller: Caller, graphql: AskGraphQL): FollowEvents =>
  (following = {}) =>
    followEvents(
      { ...streamOf(caller, following), read: (after) => pagesAfter(after, graphql, following) },
      following,
    )

function streamOf(caller: Caller, following: Following): Omit<EventSource, 'read'> {
  const { baseUrl, headers, fetch, longestWaitMs, wait } = caller
  const { silenceMs = 30_000, signal } = following
  return {
    stream: (after) =>
      eventStream({
        fetch,
        url: `${baseUrl}/graphql`,
        headers,
        variables: { after, ...wantedOf(following) },
        silenceMs,
        signal,
      }),
    longestWaitMs,
    wait,
  }
}

const wantedOf = ({ types, connectionIds }: Following) => ({ types, connectionIds })

interface EventPage {
  readonly events: { readonly nodes: readonly Event[]; readonly pageInfo: { readonly hasNextPage: boolean } }
}

const PAGE = `query EventsAfter($after: ID, $types: [String!], $connectionIds: [ID!]) {
  events(after: $after, types: $types, connectionIds: $connectionIds) {
    nodes { id type timestamp detail } pageInfo { hasNextPage }
  }
}`

async function* pagesAfter(
  after: string | undefined,
  graphql: AskGraphQL,
  following: Following,
): AsyncGenerator<Event, void, undefined> {
  for (let place = after; ;) {
    const variables = { after: place, ...wantedOf(following) }
    const { events } = await graphql<EventPage>(PAGE, variables, { signal: following.signal })
    yield* events.nodes
    place = events.nodes.at(-1)?.id ?? place
    if (!events.pageInfo.hasNextPage) return
  }
}
