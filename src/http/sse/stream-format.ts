/** Wire format of a stream of GraphQL results. */
export interface StreamFormat extends ResultFormat {
  readonly contentType: string
  /** First bytes of the body. Some browsers treat a stream as open only after them. */
  readonly opening: string
  /** Bytes that prevent proxies from closing an idle stream. */
  readonly keepAlive: string
  /** Returns a message with the ID of the event after which the stream starts. Empty if the format has no event IDs. */
  startAfter(eventId: string): string
}

/** Format of the results of one operation. */
export interface ResultFormat {
  /** Returns the message with one result. */
  next(result: string, eventId?: string): string
  /** Last message: the operation has completed. */
  readonly complete: string
}

/** Server-sent events, as in the graphql-sse protocol. */
export const SSE: StreamFormat = {
  contentType: 'text/event-stream; charset=utf-8',
  opening: ':\n\n',
  keepAlive: ':\n\n',
  startAfter: (eventId) => `id: ${eventId}\n\n`,
  next: (result, eventId) =>
    `event: next\n${eventId === undefined ? '' : `id: ${eventId}\n`}data: ${result}\n\n`,
  complete: 'event: complete\ndata:\n\n',
}

const BOUNDARY = '\r\n--graphql'

/** Ends each part with the next boundary, because readers parse a part when they see the boundary after it. */
const part = (json: string): string => `\r\ncontent-type: application/json\r\n\r\n${json}${BOUNDARY}`

/** Multipart responses to subscriptions, which Apollo's clients expect over HTTP. */
export const MULTIPART: StreamFormat = {
  contentType: 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0',
  opening: BOUNDARY + part('{}'),
  keepAlive: part('{}'),
  startAfter: () => '',
  next: (result) => part(`{"payload":${result}}`),
  complete: '--\r\n',
}

/** Returns the format of an operation on a stream with other operations: each message has the ID of its operation. */
export const formatWithId = (id: string): ResultFormat => ({
  next: (result) => `event: next\ndata: {"id":${JSON.stringify(id)},"payload":${result}}\n\n`,
  complete: `event: complete\ndata: ${JSON.stringify({ id })}\n\n`,
})
