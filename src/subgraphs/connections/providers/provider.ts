import { Field, ObjectType, registerEnumType } from 'type-graphql'
import type { Manifest } from '../../../providers/provider.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { isLinkable } from '../linking/validate-settings.ts'

export enum ProviderStatus {
  LIVE = 'live',
  BETA = 'beta',
  SANDBOX = 'sandbox',
  DEPRECATED = 'deprecated',
}

registerEnumType(ProviderStatus, {
  name: 'ProviderStatus',
  description: 'How ready a provider is for use.',
  valuesConfig: {
    LIVE: { description: 'Ready for production.' },
    BETA: { description: 'May change. Accounts can be linked only if `isLinkable` is true.' },
    SANDBOX: { description: 'Simulated data only.' },
    DEPRECATED: { description: 'Will be removed.' },
  },
})

export enum ReadSupport {
  SUPPORTED = 'supported',
  NOT_SUPPORTED_BY_PROVIDER = 'not_supported_by_provider',
  NOT_SUPPORTED = 'not_supported',
}

registerEnumType(ReadSupport, {
  name: 'ReadSupport',
  description: 'Whether records of a type can be read.',
  valuesConfig: {
    SUPPORTED: { description: 'The records are read.' },
    NOT_SUPPORTED_BY_PROVIDER: { description: 'The provider does not offer these records.' },
    NOT_SUPPORTED: { description: 'Odograph does not read these records yet.' },
  },
})

@ObjectType({ simpleResolvers: true, description: 'The support of a provider for one record type.' })
export class ProviderModel {
  @Field(() => String, { description: 'The record type, such as VehicleLocation.' })
  name: string

  @Field(() => ReadSupport, { description: 'Whether the records can be read.' })
  read: ReadSupport

  @Field(() => String, {
    nullable: true,
    description: 'The sample rate of a time series, in words. Null for other record types, or if unknown.',
  })
  sampleRate: string | null

  @Field(() => String, {
    nullable: true,
    description: 'How far back the records can be read, in words. Null if unknown.',
  })
  availableHistory: string | null

  @Field(() => [String], {
    nullable: true,
    description:
      'The types of these records that are read, such as safety event types. Null if unknown or without types.',
  })
  types: string[] | null
}

@ObjectType({ simpleResolvers: true, description: 'A page about a provider.' })
export class ProviderReference {
  @Field(() => String, { description: 'The type of the page: login-page or developer-docs.' })
  type: string

  @Field(() => String, { description: 'The URL of the page.' })
  url: string

  @Field(() => String, { description: 'The title of the page.' })
  label: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'A page of the provider for its users: how to create what a fleet signs in with.',
})
export class ProviderUserGuide {
  @Field(() => String, { description: 'The language of the page: en, fr or es.' })
  language: string

  @Field(() => String, { description: 'The URL of the page.' })
  url: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'A telematics provider.',
})
export class Provider {
  @Field(() => String, { description: 'The code that identifies the provider.' })
  code: string

  @Field(() => String, { description: 'The display name.' })
  name: string

  @Field(() => ProviderStatus, { description: 'How ready the provider is for use.' })
  status: ProviderStatus

  @Field(() => Boolean, {
    description:
      'Whether a fleet can link its account. On the link pages, a fleet can request a provider that Odograph does not support yet.',
  })
  @Computed(isLinkable)
  isLinkable?: boolean

  @Field(() => String, {
    nullable: true,
    description: 'The code of the shared platform on which the provider builds.',
  })
  baseCode: string | null

  @Field(() => String, { description: 'The URL of its logo.' })
  logo: string

  @Field(() => String, { description: 'The URL of its icon.' })
  icon: string

  @Field(() => [ProviderModel], {
    description: 'All record types, with the support of this provider for each.',
  })
  @Computed(({ supportedModels }: Manifest) =>
    Object.entries(supportedModels).map(([name, support]) => ({ name, ...support })),
  )
  models?: ProviderModel[]

  @Field(() => [ProviderReference], { description: 'Pages about the provider.' })
  references: ProviderReference[]

  @Field(() => [ProviderUserGuide], {
    description: 'Pages of the provider for its users, one for each language in which there is one.',
  })
  @Computed(({ userGuides = {} }: Manifest) =>
    Object.entries(userGuides).map(([language, url]) => ({ language, url })),
  )
  userGuides?: ProviderUserGuide[]
}
