import { Field, Float, ID, InputType, Int } from 'type-graphql'
import { type Ordering, WebhookOrdering } from '../webhook-endpoint.ts'
import type { EndpointHeader } from '../webhook-header.ts'
import type { EndpointInput } from './validate-endpoint.ts'
import type { NewEndpointInput } from './create-endpoint.ts'

const TYPES = 'Event types: names, aliases, or `*` for all types that are not opt-in. At most 100.'
const CONNECTIONS = 'Only events of these connections, at most 100. Null stands for all connections.'
const TAGS =
  'Only events of connections that have one of these tags, at most 100. Null stands for all connections.'
const RATE = 'Maximum number of requests per second: more than 0 and at most 10,000. Null for no limit.'
const RETRIES =
  'The wait before each further attempt, in seconds: at most 20 waits of 1 second to a week. Null stands for 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. An empty list disables retries.'
const HEADERS =
  'Custom headers of each request to the endpoint, for example an API key of a gateway in front of the receiver: at most 10.'

@InputType({ description: 'A custom header of a webhook endpoint.' })
export class WebhookHeaderInput implements EndpointHeader {
  @Field(() => String, {
    description:
      'The name: at most 100 letters, digits, hyphens or other characters of an HTTP token. The headers of the service are refused.',
  })
  name: string

  @Field(() => String, {
    description:
      'The value: 1 to 1,000 visible ASCII characters, with spaces between them. It is never shown again.',
  })
  value: string
}

@InputType({ description: 'A new webhook endpoint.' })
export class CreateWebhookEndpointInput implements NewEndpointInput {
  @Field(() => String, {
    description:
      'The URL to which events are posted: https:// and at most 2,048 characters. A user name and a password in it become the header `authorization` and are removed from it.',
  })
  url: string

  @Field(() => String, { nullable: true, description: 'Free text, at most 255 characters.' })
  description?: string | null

  @Field(() => [String], { nullable: true, description: `${TYPES} Default: \`*\`.` })
  types?: string[] | null

  @Field(() => [ID], { nullable: true, description: CONNECTIONS })
  connectionIds?: string[] | null

  @Field(() => [String], { nullable: true, description: TAGS })
  tags?: string[] | null

  @Field(() => WebhookOrdering, {
    nullable: true,
    description: 'The order in which events are sent. Default: NONE.',
  })
  ordering?: Ordering | null

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of concurrent requests, 1 to 100. Default: 10.',
  })
  concurrency?: number | null

  @Field(() => Float, { nullable: true, description: RATE })
  ratePerSecond?: number | null

  @Field(() => [Int], { nullable: true, description: RETRIES })
  retrySeconds?: number[] | null

  @Field(() => [WebhookHeaderInput], {
    nullable: true,
    description: HEADERS,
  })
  headers?: WebhookHeaderInput[] | null

  @Field(() => String, {
    nullable: true,
    description:
      'The signing secret: `whsec_` and the Base64 of 24 to 64 bytes. By default, a new one is generated.',
  })
  secret?: string | null
}

@InputType({ description: 'Changes of an endpoint. Absent fields stay unchanged.' })
export class UpdateWebhookEndpointInput implements EndpointInput {
  @Field(() => ID, { description: 'The id of the endpoint.' })
  endpointId: string

  @Field(() => String, {
    nullable: true,
    description:
      'The URL to which events are posted. A user name and a password in it become the header `authorization` and are removed from it.',
  })
  url?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Free text, at most 255 characters. Null removes it.',
  })
  description?: string | null

  @Field(() => [String], { nullable: true, description: TYPES })
  types?: string[] | null

  @Field(() => [ID], { nullable: true, description: CONNECTIONS })
  connectionIds?: string[] | null

  @Field(() => [String], { nullable: true, description: TAGS })
  tags?: string[] | null

  @Field(() => WebhookOrdering, { nullable: true, description: 'The order in which events are sent.' })
  ordering?: Ordering | null

  @Field(() => Int, { nullable: true, description: 'Maximum number of concurrent requests, 1 to 100.' })
  concurrency?: number | null

  @Field(() => Float, { nullable: true, description: RATE })
  ratePerSecond?: number | null

  @Field(() => [Int], { nullable: true, description: RETRIES })
  retrySeconds?: number[] | null

  @Field(() => [WebhookHeaderInput], {
    nullable: true,
    description: `${HEADERS} They replace all earlier ones. Null or an empty list removes them.`,
  })
  headers?: WebhookHeaderInput[] | null
}

@InputType({ description: 'The endpoint to delete.' })
export class DeleteWebhookEndpointInput {
  @Field(() => ID, { description: 'The id of the endpoint.' })
  endpointId: string
}

@InputType({ description: 'The endpoint to enable.' })
export class EnableWebhookEndpointInput {
  @Field(() => ID, { description: 'The id of the endpoint.' })
  endpointId: string

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to skip the events from the time while the endpoint was disabled. By default, they are sent first, in order.',
  })
  skipMissed?: boolean | null
}

@InputType({ description: 'The endpoint to disable.' })
export class DisableWebhookEndpointInput {
  @Field(() => ID, { description: 'The id of the endpoint.' })
  endpointId: string
}

@InputType({ description: 'The endpoint whose secret to rotate.' })
export class RotateWebhookSecretInput {
  @Field(() => ID, { description: 'The id of the endpoint.' })
  endpointId: string

  @Field(() => Int, {
    nullable: true,
    description:
      'How long messages are also signed with the earlier secrets, in seconds: 0 to 604,800 (a week). Default: 86,400 (a day).',
  })
  overlapSeconds?: number | null

  @Field(() => String, {
    nullable: true,
    description:
      'The new secret: `whsec_` and the Base64 of 24 to 64 bytes. By default, a new one is generated.',
  })
  secret?: string | null
}
