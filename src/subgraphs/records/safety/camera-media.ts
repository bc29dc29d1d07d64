import { Field, ID, ObjectType } from 'type-graphql'
import { RawData } from '../../schema/value-types.ts'

@ObjectType({ simpleResolvers: true, description: 'The video of one camera of a safety event.' })
export class CameraFile {
  @Field(() => ID, { nullable: true, description: "The file's id in the provider's system." })
  sourceId: string | null

  @Field(() => Boolean, { description: 'Whether the video can be fetched now.' })
  available: boolean
}

@ObjectType({ simpleResolvers: true, description: 'The cameras that recorded a safety event.' })
export class CameraMediaReference {
  @Field(() => CameraFile, { nullable: true, description: 'The camera that faces the road.' })
  frontFacing: CameraFile | null

  @Field(() => CameraFile, { nullable: true, description: 'The camera that faces the cab.' })
  rearFacing: CameraFile | null
}

@ObjectType({ simpleResolvers: true, description: 'A video of a safety event.' })
export class CameraMediaFile {
  @Field(() => ID, { nullable: true, description: "The file's id in the provider's system." })
  sourceId: string | null

  @Field(() => String, { description: 'The URL of the video. It is valid for an hour.' })
  videoUrl: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'The videos of a safety event that the provider has now.',
})
export class CameraMedia {
  @Field(() => CameraMediaFile, {
    nullable: true,
    description: 'The video of the camera that faces the road.',
  })
  frontFacing: CameraMediaFile | null

  @Field(() => CameraMediaFile, {
    nullable: true,
    description: 'The video of the camera that faces the cab.',
  })
  rearFacing: CameraMediaFile | null

  @Field(() => [RawData], { description: 'The response of the provider.' })
  raw: RawData[]
}
