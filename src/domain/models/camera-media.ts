import { defineModel } from './define-model.ts'

export interface NormalizedCameraFile {
  readonly sourceId: string | null
  readonly available: boolean
}

/** Files of one safety event, as the provider currently serves them. */
export interface NormalizedCameraMedia {
  readonly frontFacing: NormalizedCameraMediaFile | null
  readonly rearFacing: NormalizedCameraMediaFile | null
}

export interface NormalizedCameraMediaFile {
  readonly sourceId: string | null
  /** URL at the provider. Callers get a URL of this service instead. */
  readonly url: string
}

export const cameraMediaModel = defineModel<NormalizedCameraMedia>()({
  name: 'CameraMedia',
  read: 'query',
  types: ['CameraMedia'],
  roots: ['cameraMedia'],
  scope: 'safety:read',
  sessionScope: 'READ_RECORDS',
  share: 'safety',
  ranges: {},
  required: {},
})
