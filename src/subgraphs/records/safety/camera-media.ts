import { Field, ID, ObjectType } from 'type-graphql'
import { RawData } from '../../schema/value-types.ts'

@ObjectType({ simpleResolvers: true, description: 'What a camera filmed of a safety event.' })
export class CameraFile {
  @Field(() => ID, { nullable: true, description: "The file's id in the provider's system." })
  sourceId: string | null

  @Field(() => Boolean, { description: 'Whether it can be fetched now.' })
  available: boolean
}

@ObjectType({ simpleResolvers: true, description: 'The cameras that filmed a safety event.' })
export class CameraMediaReference {
  @Field(() => CameraFile, { nullable: true, description: 'The camera that looks at the road.' })
  frontFacing: CameraFile | null

  @Field(() => CameraFile, { nullable: true, description: 'The camera that looks into the cab.' })
  rearFacing: CameraFile | null
}

@ObjectType({ simpleResolvers: true, description: 'A film of a safety event.' })
export class CameraMediaFile {
  @Field(() => ID, { nullable: true, description: "The file's id in the provider's system." })
  sourceId: string | null

  @Field(() => String, { description: 'Where the film is served, for an hour.' })
  videoUrl: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'The films of a safety event, as the provider has them now.',
})
export class CameraMedia {
  @Field(() => CameraMediaFile, { nullable: true, description: 'Of the camera that looks at the road.' })
  frontFacing: CameraMediaFile | null

  @Field(() => CameraMediaFile, { nullable: true, description: 'Of the camera that looks into the cab.' })
  rearFacing: CameraMediaFile | null

  @Field(() => [RawData], { description: "The provider's answer." })
  raw: RawData[]
}
