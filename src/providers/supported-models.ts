import { modelNames, type ModelName } from '../domain/record-models.ts'
import type { Manifest, ModelSupport } from './provider.ts'

/** Models that an adapter reads, with their details. */
export type Supported = Partial<Record<ModelName, Omit<ModelSupport, 'read'>>>

/** Completes the models of an adapter with those that it does not read. `otherwise` is the support of these. */
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
