import { modelNames, type ModelName } from '../domain/record-models.ts'
import type { Manifest, ModelSupport } from './provider.ts'

/** What an adapter's manifest tells of the models that the adapter reads. */
export type Supported = Partial<Record<ModelName, Omit<ModelSupport, 'read'>>>

/** Adds the models that an adapter does not read. `otherwise` is their support. */
export const supportedModels = (
  supported: Supported,
  otherwise: Exclude<ModelSupport['read'], 'supported'> = 'not_supported',
): Manifest['supportedModels'] =>
  Object.fromEntries(modelNames.map((model) => [model, supportOf(supported[model], otherwise)])) as Record<
    ModelName,
    ModelSupport
  >

const supportOf = (details: Supported[ModelName], otherwise: ModelSupport['read']): ModelSupport =>
  details ? { read: 'supported', ...details } : { read: otherwise }
