import { z } from 'zod'
import { madeBy } from '../body.ts'
import { route } from '../route.ts'

export const listProviders = route({
  method: 'GET',
  path: '/providers',
  headers: 'none',
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
  body: madeBy(({ providers }: { readonly providers: readonly Provider[] }) => providers.map(toProvider)),
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
