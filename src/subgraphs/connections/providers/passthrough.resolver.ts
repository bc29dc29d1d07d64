import {
  Arg,
  Ctx,
  Field,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  registerEnumType,
  Resolver,
} from 'type-graphql'
import { Computed } from '../../schema/build-subgraph.ts'
import { Json } from '../../schema/scalars.ts'
import type { PassthroughResult, PassthroughCommand } from './passthrough.ts'
import type { ConnectionCommandsContext } from '../commands.ts'

export enum PassthroughMethod {
  GET = 'GET',
  POST = 'POST',
  PUT = 'PUT',
  PATCH = 'PATCH',
  DELETE = 'DELETE',
}

registerEnumType(PassthroughMethod, {
  name: 'PassthroughMethod',
  description: 'The HTTP method of a passthrough request.',
  valuesConfig: {
    GET: { description: 'Reads a resource.' },
    POST: { description: 'Creates a resource or runs an action.' },
    PUT: { description: 'Replaces a resource.' },
    PATCH: { description: 'Updates a resource.' },
    DELETE: { description: 'Deletes a resource.' },
  },
})

@InputType({ description: "A request to the API of a connection's provider." })
export class PassthroughInput implements PassthroughCommand {
  @Field(() => ID, {
    nullable: true,
    description: 'The id of the connection. Optional with a connection token, which selects its connection.',
  })
  connectionId?: string | null

  @Field(() => PassthroughMethod, { description: 'The HTTP method of the request.' })
  method: PassthroughMethod

  @Field(() => String, {
    description: "The path at the provider's API, with the query string. It begins with /.",
  })
  path: string

  @Field(() => Json, {
    nullable: true,
    description:
      'The request headers as an object of strings by name. The credentials are added; headers that would replace them are not sent.',
  })
  headers?: unknown

  @Field(() => String, { nullable: true, description: 'The request body, sent unchanged. At most 1 MiB.' })
  body?: string | null
}

@ObjectType({ simpleResolvers: true, description: "A provider's response to a passthrough request." })
export class PassthroughResponse {
  @Field(() => String, { description: 'The HTTP method of the request.' })
  method: string

  @Field(() => String, { description: 'The path of the request.' })
  path: string

  @Field(() => Int, { description: "The provider's HTTP status, which may be an error such as 404." })
  @Computed(({ status }: PassthroughResult) => status)
  statusCode?: number

  @Field(() => Json, { description: 'The response headers by lower-case name.' })
  headers: unknown

  @Field(() => Json, {
    description:
      'The response body: its value if the body is JSON, else its text. An empty string if there is no body.',
  })
  @Computed(({ body }: PassthroughResult) => jsonOrText(body))
  response?: unknown

  @Field(() => String, { description: 'The bytes of the response body in base64.' })
  @Computed(({ body }: PassthroughResult) => body.toString('base64'))
  bodyBase64?: string
}

/** Returns the JSON value of a body, else its text. JSON null becomes '', because the field is not nullable. */
function jsonOrText(body: Buffer): unknown {
  const text = body.toString('utf8')
  try {
    return (JSON.parse(text) as unknown) ?? ''
  } catch {
    return text
  }
}

@ObjectType({ simpleResolvers: true, description: 'The result of `passthrough`.' })
export class PassthroughPayload {
  @Field(() => PassthroughResponse, { description: "The provider's response." })
  response: PassthroughResult
}

@Resolver()
export class PassthroughResolver {
  @Mutation(() => PassthroughPayload, {
    description:
      "Sends a request to the provider's own API with the credentials of the connection. The result contains the provider's response, also if it is an error.",
  })
  async passthrough(
    @Arg('input', () => PassthroughInput, { description: 'The request to send.' }) input: PassthroughInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<PassthroughPayload> {
    return { response: await writes.passThrough(input) }
  }
}
