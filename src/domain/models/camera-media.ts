import { defineModel } from './define-model.ts'

/** Recording of one camera, as part of a safety event. */
export interface NormalizedCameraFile {
  readonly sourceId: string | null
  /** Whether the provider can serve the recording now. */
  readonly available: boolean
}

/** Recordings of one safety event, as the provider serves them at the time of the query. */
export interface NormalizedCameraMedia {
  readonly frontFacing: NormalizedCameraMediaFile | null
  readonly rearFacing: NormalizedCameraMediaFile | null
}

export interface NormalizedCameraMediaFile {
  readonly sourceId: string | null
  /** URL at the provider. Callers receive a URL of this service instead. */
  readonly url: string
}

export const cameraMediaModel = defineModel<NormalizedCameraMedia>()({
  name: 'CameraMedia',
  read: 'query',
  types: ['CameraMedia'],
  queryFields: ['cameraMedia'],
  scope: 'safety:read',
  sessionScope: 'READ_RECORDS',
  consentCategory: 'safety',
  ranges: {},
  required: {},
})
