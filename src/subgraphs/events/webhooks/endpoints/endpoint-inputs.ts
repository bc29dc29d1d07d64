import { Field, Float, ID, InputType, Int } from 'type-graphql'
import { type Ordering, WebhookOrdering } from '../webhook-endpoint.ts'
import type { EndpointInput } from './validate-endpoint.ts'
import type { NewEndpointInput } from './create-endpoint.ts'

const TYPES = 'Which types of event: names, aliases, or `*` for every one that is not opt-in.'
const CONNECTIONS = 'Events of these connections only; null stands for all.'
const TAGS = 'Events of connections that have one of these tags only; null stands for all.'
const RATE = 'How many requests a second at most; null for as many as it takes.'
const RETRIES =
  'The waits before each further attempt, in seconds: 20 at most, of a week each. Null stands for 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; an empty list for no further attempt.'

@InputType({ description: 'Where to send events, and which.' })
export class CreateWebhookEndpointInput implements NewEndpointInput {
  @Field(() => String, { description: 'Where to post them: https:// and 2,048 characters at most.' })
  url: string

  @Field(() => String, { nullable: true, description: "The caller's own words for it." })
  description?: string | null

  @Field(() => [String], { nullable: true, description: `${TYPES} That is also what absence means.` })
  types?: string[] | null

  @Field(() => [ID], { nullable: true, description: CONNECTIONS })
  connectionIds?: string[] | null

  @Field(() => [String], { nullable: true, description: TAGS })
  tags?: string[] | null

  @Field(() => WebhookOrdering, { nullable: true, description: 'NONE where it is absent.' })
  ordering?: Ordering | null

  @Field(() => Int, { nullable: true, description: 'Requests under way at once, 1 to 100; 10 unless told.' })
  concurrency?: number | null

  @Field(() => Float, { nullable: true, description: RATE })
  ratePerSecond?: number | null

  @Field(() => [Int], { nullable: true, description: RETRIES })
  retrySeconds?: number[] | null

  @Field(() => String, {
    nullable: true,
    description:
      'What messages are signed with: whsec_ and the Base64 of 24 to 64 bytes. A new one unless told.',
  })
  secret?: string | null
}

@InputType({ description: 'What of an endpoint is to change; what is absent stays.' })
export class UpdateWebhookEndpointInput implements EndpointInput {
  @Field(() => ID, { description: 'Which endpoint.' })
  endpointId: string

  @Field(() => String, { nullable: true, description: 'Where to post events.' })
  url?: string | null

  @Field(() => String, {
    nullable: true,
    description: "The caller's own words for it; null takes them away.",
  })
  description?: string | null

  @Field(() => [String], { nullable: true, description: TYPES })
  types?: string[] | null

  @Field(() => [ID], { nullable: true, description: CONNECTIONS })
  connectionIds?: string[] | null

  @Field(() => [String], { nullable: true, description: TAGS })
  tags?: string[] | null

  @Field(() => WebhookOrdering, { nullable: true, description: 'In which order events arrive.' })
  ordering?: Ordering | null

  @Field(() => Int, { nullable: true, description: 'Requests under way at once, 1 to 100.' })
  concurrency?: number | null

  @Field(() => Float, { nullable: true, description: RATE })
  ratePerSecond?: number | null

  @Field(() => [Int], { nullable: true, description: RETRIES })
  retrySeconds?: number[] | null
}

@InputType({ description: 'Which endpoint to delete.' })
export class DeleteWebhookEndpointInput {
  @Field(() => ID, { description: 'Which endpoint.' })
  endpointId: string
}

@InputType({ description: 'Which endpoint to send to again.' })
export class EnableWebhookEndpointInput {
  @Field(() => ID, { description: 'Which endpoint.' })
  endpointId: string

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to leave out what happened while it was disabled; unless told, that is sent first, in order.',
  })
  skipMissed?: boolean | null
}

@InputType({ description: 'Which endpoint to send nothing more to.' })
export class DisableWebhookEndpointInput {
  @Field(() => ID, { description: 'Which endpoint.' })
  endpointId: string
}

@InputType({ description: 'Which endpoint is to have a new secret.' })
export class RotateWebhookSecretInput {
  @Field(() => ID, { description: 'Which endpoint.' })
  endpointId: string

  @Field(() => Int, {
    nullable: true,
    description:
      'For how long messages are signed with the secrets of before as well: 0 to 604,800 (a week), 86,400 (a day) unless told.',
  })
  overlapSeconds?: number | null

  @Field(() => String, {
    nullable: true,
    description: 'The new one: whsec_ and the Base64 of 24 to 64 bytes. It is made up unless told.',
  })
  secret?: string | null
}
