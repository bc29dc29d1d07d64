import { z } from 'zod'
import { computedShape } from '../response/response-shape.ts'
import { route } from '../route.ts'

const support = z.object({
  supportedOperations: z.object({
    read: z.enum(['supported', 'not_supported_by_provider', 'not_supported']),
  }),
  sampleRate: z.string().meta({ description: 'How often the provider records a value.' }).optional(),
  availableHistory: z
    .string()
    .meta({ description: 'How far back in time the provider returns records.' })
    .optional(),
  types: z
    .array(z.string())
    .meta({ description: 'The types of these records that Odograph reads.' })
    .optional(),
})

const provider = z.object({
  name: z.string(),
  code: z.string().meta({ description: 'The code that identifies the provider.' }),
  status: z.enum(['live', 'beta', 'sandbox', 'deprecated']),
  logo: z.string().meta({ format: 'uri' }),
  icon: z.string().meta({ format: 'uri' }),
  references: z.array(z.object({ type: z.string(), url: z.string(), label: z.string() })),
  supportedModels: z.record(z.string(), support).meta({
    description:
      'For each record type, whether Odograph reads it. All are `not_supported` if Odograph cannot read this provider.',
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
        name code status logo icon
        baseCode @include(if: $authenticated)
        models { name read sampleRate availableHistory types }
        references { type url label }
      }
    }`,
  variables: ({ authenticated }) => ({ authenticated }),
  response: computedShape(
    ({ providers }: { readonly providers: readonly Provider[] }) => providers.map(toProvider),
    Object.fromEntries(Object.entries(providersSchema).filter(([name]) => name !== '$schema')),
  ),
})

interface Model {
  readonly name: string
  readonly read: string
  readonly sampleRate: string | null
  readonly availableHistory: string | null
  readonly types: readonly string[] | null
}

interface Provider {
  readonly status: string
  readonly baseCode?: string | null
  readonly models: readonly Model[]
}

const toProvider = ({ models, status, baseCode, ...provider }: Provider) => ({
  ...provider,
  status: status.toLowerCase(),
  supportedModels: Object.fromEntries(models.map((model) => [model.name, toSupport(model)])),
  ...(baseCode == null ? {} : { baseCode }),
})

const toSupport = ({ read, sampleRate, availableHistory, types }: Model) => ({
  supportedOperations: { read: read.toLowerCase() },
  ...(sampleRate === null ? {} : { sampleRate }),
  ...(availableHistory === null ? {} : { availableHistory }),
  ...(types === null ? {} : { types }),
})
