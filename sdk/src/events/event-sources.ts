import type { ListOperation } from '../operations.ts'
import type { Event } from '../generated.ts'
import type { SessionEvent } from './session-event.ts'
import type { ExecuteGraphQL, HeadersOf } from '../graphql.ts'
import type { TransportSettings } from '../transport.ts'
import { eventStream } from './event-stream.ts'
import { type EventSource, followEvents, type Following } from './follow-events.ts'

/** Yields events as they occur, without an end. */
export type FollowEvents<Followed = Event> = (
  following?: Following,
) => AsyncGenerator<Followed, void, undefined>

/** Address, headers and transport settings for the requests that follow the event log. */
interface Caller extends Pick<TransportSettings, 'fetch' | 'longestWaitMs' | 'wait'> {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly headers: HeadersOf
}

/** Follows the event log with a secret key: streams over GraphQL, and reads pages over REST. */
export const followByKey =
  (caller: Caller, list: ListOperation<'listEvents'>): FollowEvents =>
  (following = {}) =>
    followEvents(
      {
        ...streamOf(caller, following),
        read: (after) => list({ after, ...filterOf(following) }, { signal: following.signal }),
      },
      following,
    )

/**
 * Follows the event log with a session token. It reads pages over GraphQL, because sessions cannot use REST.
 */
export const followBySession =
  (caller: Caller, graphql: ExecuteGraphQL): FollowEvents<SessionEvent> =>
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
        variables: { after, ...filterOf(following) },
        silenceMs,
        signal,
      }),
    longestWaitMs,
    wait,
  }
}

const filterOf = ({ types, connectionIds }: Following) => ({ types, connectionIds })

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
  graphql: ExecuteGraphQL,
  following: Following,
): AsyncGenerator<Event, void, undefined> {
  for (let position = after; ;) {
    const variables = { after: position, ...filterOf(following) }
    const { events } = await graphql<EventPage>(PAGE, variables, { signal: following.signal })
    yield* events.nodes
    position = events.nodes.at(-1)?.id ?? position
    if (!events.pageInfo.hasNextPage) return
  }
}
