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
import type { PassthroughResult, PassthroughInput as Passthrough } from './passthrough.ts'
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
  description: 'The method of a request that is passed to a provider.',
  valuesConfig: {
    GET: { description: 'Reads.' },
    POST: { description: 'Makes or does something.' },
    PUT: { description: 'Replaces.' },
    PATCH: { description: 'Changes.' },
    DELETE: { description: 'Removes.' },
  },
})

@InputType({ description: "A request to the API of a connection's provider." })
export class PassthroughInput implements Passthrough {
  @Field(() => ID, {
    nullable: true,
    description: 'Which connection; the one of the connection token needs no name.',
  })
  connectionId?: string | null

  @Field(() => PassthroughMethod, { description: 'The method of the request.' })
  method: PassthroughMethod

  @Field(() => String, { description: "A path of the provider's API with its query, from / on." })
  path: string

  @Field(() => Json, {
    nullable: true,
    description:
      'Header names and their texts. The credentials are added; whatever is sent in their place is not.',
  })
  headers?: unknown

  @Field(() => String, { nullable: true, description: 'The body as it is sent, 1 MiB at most.' })
  body?: string | null
}

@ObjectType({ simpleResolvers: true, description: "A provider's answer to a request that was passed to it." })
export class PassthroughResponse {
  @Field(() => String, { description: 'The method that was asked with.' })
  method: string

  @Field(() => String, { description: 'The path that was asked for.' })
  path: string

  @Field(() => Int, { description: "The provider's status, also where it is an error." })
  @Computed((answer: PassthroughResult) => answer.status)
  statusCode?: number

  @Field(() => Json, { description: 'Header names, in lower case, and their texts.' })
  headers: unknown

  @Field(() => Json, {
    description: 'The body: the value where it is JSON, else the text; empty text where there is none.',
  })
  @Computed(({ body }: PassthroughResult) => valueOf(body))
  response?: unknown

  @Field(() => String, { description: 'The bytes of the body in base64.' })
  @Computed(({ body }: PassthroughResult) => body.toString('base64'))
  bodyBase64?: string
}

/** JSON's null has no place in the answer (decision B9): it is told like no body. */
function valueOf(body: Buffer): unknown {
  const text = body.toString('utf8')
  try {
    return (JSON.parse(text) as unknown) ?? ''
  } catch {
    return text
  }
}

@ObjectType({ simpleResolvers: true, description: 'What `passthrough` gives.' })
export class PassthroughPayload {
  @Field(() => PassthroughResponse, { description: "The provider's answer." })
  response: PassthroughResult
}

@Resolver()
export class PassthroughResolver {
  @Mutation(() => PassthroughPayload, {
    description:
      "Passes a request to the provider's own API with the connection's credentials. What the provider says to it, errors too, is in the response.",
  })
  async passthrough(
    @Arg('input', () => PassthroughInput, { description: 'The request to pass on.' }) input: PassthroughInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<PassthroughPayload> {
    return { response: await writes.passThrough(input) }
  }
}
