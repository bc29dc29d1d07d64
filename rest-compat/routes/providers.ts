import { z } from 'zod'
import { computedShape } from '../response/response-shape.ts'
import { route } from '../route.ts'

/**
 * Names of the REST API for the values of GraphQL. Clients are generated from a contract with these three, so
 * the last one keeps the name that the contract has for records which the service does not read.
 */
const readNames: Readonly<Record<ReadSupport, string>> = {
  SUPPORTED: 'supported',
  NOT_SUPPORTED_BY_PROVIDER: 'not_supported_by_provider',
  NOT_SUPPORTED: 'not_supported_by_terminal',
}

const support = z.object({
  supportedOperations: z.object({
    read: z.enum(Object.values(readNames)).meta({
      description: '`not_supported_by_terminal`: Odograph does not read these records.',
    }),
  }),
  sampleRate: z
    .string()
    .meta({
      description:
        'How often the provider records a value. Always present for VehicleLocation, at least as `unknown`.',
    })
    .optional(),
  availableHistory: z
    .string()
    .meta({ description: 'How far back in time the provider returns records.' })
    .optional(),
  types: z
    .array(z.string())
    .meta({
      description: 'The types of these records that Odograph reads. Always present for SafetyEvent.',
    })
    .optional(),
})

const guide = z.string().meta({ format: 'uri' })

const provider = z.object({
  name: z.string(),
  code: z.string().meta({ description: 'The code that identifies the provider.' }),
  status: z.enum(['live', 'beta', 'sandbox', 'deprecated']),
  logo: z.string().meta({ format: 'uri' }),
  icon: z.string().meta({ format: 'uri' }),
  references: z.array(z.object({ type: z.string(), url: z.string(), label: z.string() })),
  userGuides: z
    .object({ en: guide, fr: guide, es: guide })
    .meta({
      description:
        'Pages of the provider for its users, by language. Present only if there is one in each language.',
    })
    .optional(),
  isLinkable: z.boolean().meta({
    description: 'Whether a fleet can link its account. If false, Odograph lists the provider only.',
  }),
  supportedModels: z.record(z.string(), support).meta({
    description:
      'For each record type, whether Odograph reads it. All are `not_supported_by_terminal` if Odograph cannot read this provider.',
  }),
  baseCode: z
    .string()
    .meta({
      description:
        'The code of the provider whose platform this provider uses. Only requests with a secret key receive it.',
    })
    .optional(),
})

// With `io: 'output'`, the schema would forbid additional members. Later versions may add members.
const providersSchema = z.toJSONSchema(z.array(provider), { io: 'input' })

export const listProviders = route({
  method: 'GET',
  path: '/providers',
  summary: 'List providers',
  tag: 'Providers',
  auth: 'none',
  query: z.object({}),
  operation: `
    query ListProviders($authenticated: Boolean!) {
      providers {
        name code status logo icon isLinkable
        baseCode @include(if: $authenticated)
        models { name read sampleRate availableHistory types }
        references { type url label }
        userGuides { language url }
      }
    }`,
  variables: ({ authenticated }) => ({ authenticated }),
  response: computedShape(
    ({ providers }: { readonly providers: readonly Provider[] }) => providers.map(toProvider),
    Object.fromEntries(Object.entries(providersSchema).filter(([name]) => name !== '$schema')),
  ),
})

type ReadSupport = 'SUPPORTED' | 'NOT_SUPPORTED_BY_PROVIDER' | 'NOT_SUPPORTED'

interface Model {
  readonly name: string
  readonly read: ReadSupport
  readonly sampleRate: string | null
  readonly availableHistory: string | null
  readonly types: readonly string[] | null
}

interface Provider {
  readonly status: string
  readonly baseCode?: string | null
  readonly models: readonly Model[]
  readonly userGuides: readonly { readonly language: string; readonly url: string }[]
}

const toProvider = ({ models, status, baseCode, userGuides, ...provider }: Provider) => ({
  ...provider,
  status: status.toLowerCase(),
  ...toUserGuides(userGuides),
  supportedModels: Object.fromEntries(models.map((model) => [model.name, toSupport(model)])),
  ...(baseCode == null ? {} : { baseCode }),
})

/** Strict clients require all three languages. */
function toUserGuides(guides: Provider['userGuides']) {
  const userGuides = Object.fromEntries(guides.map(({ language, url }) => [language, url]))
  return ['en', 'fr', 'es'].every((language) => language in userGuides) ? { userGuides } : {}
}

/** Members that strict clients require of a model, if they are unknown. */
const requiredMembers: Readonly<Record<string, object>> = {
  VehicleLocation: { sampleRate: 'unknown' },
  SafetyEvent: { types: [] },
}

const toSupport = ({ name, read, sampleRate, availableHistory, types }: Model) => ({
  supportedOperations: { read: readNames[read] },
  ...requiredMembers[name],
  ...(sampleRate === null ? {} : { sampleRate }),
  ...(availableHistory === null ? {} : { availableHistory }),
  ...(types === null ? {} : { types }),
})
