import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { toIso } from '../../../domain/time.ts'
import { PageArgs, pageType } from '../../schema/page-types.ts'
import { Json } from '../../schema/scalars.ts'
import { BackfillInput } from '../connection-inputs.ts'
import { SyncMode } from '../connection.ts'
import type { ConnectionsContext } from '../repository.ts'
import type { ConnectionCommandsContext } from '../commands.ts'
import type { ShortLinkInput } from './create-short-link.ts'
import { ShortLink } from './short-link.ts'

export const ShortLinkPage = pageType('ShortLink', () => ShortLink)

@InputType({
  description:
    'The settings of a short link. They apply to each link run: a visit of a fleet to the link pages. All are optional.',
})
export class CreateShortLinkInput implements ShortLinkInput {
  @Field(() => String, { nullable: true, description: "The name of the fleet's company." })
  name?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The code of the provider. If absent, the fleet chooses.',
  })
  provider?: string | null

  @Field(() => [String], {
    nullable: true,
    description: 'The codes of the providers that the link page lists first.',
  })
  providerHints?: string[] | null

  @Field(() => ID, { nullable: true, description: "The caller's own identifier for the connection." })
  externalId?: string | null

  @Field(() => [String], { nullable: true, description: "The caller's own labels for the connection." })
  tags?: string[] | null

  @Field(() => String, {
    nullable: true,
    description:
      'The URL to which the fleet returns after the run, with the query parameters `result` and, on success, `token`. Its origin must be a link origin of the application.',
  })
  redirectUrl?: string | null

  @Field(() => SyncMode, {
    nullable: true,
    description: 'When data is read from the provider. Default: AUTOMATIC.',
  })
  syncMode?: SyncMode | null

  @Field(() => BackfillInput, {
    nullable: true,
    description: 'How far back the first sync reads. Days count back from the creation of the connection.',
  })
  backfill?: BackfillInput | null

  @Field(() => String, { nullable: true, description: 'Stored unchanged. It has no effect.' })
  template?: string | null
}

@InputType({ description: 'The short link to delete.' })
export class DeleteShortLinkInput {
  @Field(() => ID, { description: 'The id of the short link.' })
  shortLinkId: string
}

@ObjectType({ simpleResolvers: true, description: 'The result of `createShortLink`.' })
export class CreateShortLinkPayload {
  @Field(() => ShortLink, { description: 'The short link.' })
  shortLink: ShortLink

  @Field(() => Boolean, {
    description:
      'True if a valid short link with the same settings already existed. The payload contains that link.',
  })
  replayed: boolean
}

@ObjectType({ simpleResolvers: true, description: 'The result of `deleteShortLink`.' })
export class DeleteShortLinkPayload {
  @Field(() => ID, { description: 'The id of the deleted short link.' })
  shortLinkId: string
}

@Resolver(() => ShortLink)
export class ShortLinkResolver {
  @FieldResolver(() => String, { description: 'The URL of the short link.' })
  url(@Root() { code }: ShortLink, @Ctx() { connections }: ConnectionsContext): string {
    return connections.shortUrlOf(code)
  }

  @FieldResolver(() => Json, {
    description: 'The settings of the short link. Their names are those of `CreateShortLinkInput`.',
  })
  settings(@Root() { settings }: ShortLink): unknown {
    const { backfillDays, backfillFrom, ...others } = settings
    if (backfillDays !== undefined) return { ...others, backfill: { days: backfillDays } }
    return backfillFrom === undefined ? others : { ...others, backfill: { startFrom: toIso(backfillFrom) } }
  }

  @Query(() => ShortLinkPage, {
    nullable: true,
    description: 'The valid short links, oldest first. Requires a secret key without a connection token.',
  })
  shortLinks(
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { connections }: ConnectionsContext,
  ): Promise<Page<ShortLink>> {
    return connections.shortLinks(args)
  }

  @Mutation(() => CreateShortLinkPayload, {
    description:
      'Creates a short link to the link pages, or returns the valid one with the same settings. Requires a secret key without a connection token.',
  })
  createShortLink(
    @Arg('input', () => CreateShortLinkInput, { description: 'The settings of the short link.' })
    input: CreateShortLinkInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<CreateShortLinkPayload> {
    return writes.createShortLink(input)
  }

  @Mutation(() => DeleteShortLinkPayload, {
    description:
      'Deletes a short link. Its URL then shows the page for expired links. Requires a secret key without a connection token.',
  })
  deleteShortLink(
    @Arg('input', () => DeleteShortLinkInput, { description: 'The short link to delete.' })
    input: DeleteShortLinkInput,
    @Ctx() { writes }: ConnectionCommandsContext,
  ): Promise<DeleteShortLinkPayload> {
    return writes.deleteShortLink(input)
  }
}
