export {
  type CallOptions,
  type Result,
  type OperationName,
  type RawAnswer,
  type Params,
} from './operations.ts'
export { type ClientOptions, type ConnectionClient, OdographClient } from './client.ts'
export {
  type ErrorDetail,
  type GraphQLProblem,
  OdographError,
  OdographGraphQLError,
  type RequestProblem,
} from './errors.ts'
export type { EventFilter } from './events/event-stream.ts'
export type { Following } from './events/follow-events.ts'
export type { FollowEvents } from './events/event-sources.ts'
export type * from './generated.ts'
export type { ExecuteGraphQL, TypedDocument } from './graphql.ts'
export { Pages } from './pages.ts'
export type { TransportOptions } from './transport-options.ts'
export {
  type Verification,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
  WebhookVerificationError,
} from './webhooks.ts'
