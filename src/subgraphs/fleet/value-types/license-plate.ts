import { Field, ObjectType } from 'type-graphql'

@ObjectType({ simpleResolvers: true, description: 'A number that a US state or Canadian province gave out.' })
export class LicensePlate {
  @Field(() => String, { nullable: true, description: 'Two letters, such as TX or ON.' })
  state: string | null

  @Field(() => String, { nullable: true, description: 'What stands on the plate.' })
  number: string | null
}

@ObjectType({ simpleResolvers: true, description: "A driver's license." })
export class DriverLicense {
  @Field(() => String, { nullable: true, description: 'Two letters, such as TX or ON.' })
  state: string | null

  @Field(() => String, { nullable: true, description: 'The number of the license.' })
  number: string | null
}

/** Two columns as one object; null where neither is known. */
export const withNumber = (state: string | null, number: string | null) =>
  state === null && number === null ? null : { state, number }
