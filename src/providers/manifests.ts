import { modelNames, type ModelName } from '../domain/record-models.ts'
import type { Manifest, ModelSupport } from './provider.ts'

/** Details of the models that an adapter reads. */
export type Supported = Partial<Record<ModelName, Omit<ModelSupport, 'read'>>>

/** Completes a manifest with the models that are not read; `otherwise` is the reason. */
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

/** SVG icon as a data URI, so that no server has to serve it. */
export const pictureOf = (background: string, drawing: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="10" fill="${background}"/>${drawing}</svg>`,
  )}`
