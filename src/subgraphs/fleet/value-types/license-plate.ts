import { Field, ObjectType } from 'type-graphql'

@ObjectType({ simpleResolvers: true, description: 'A license plate of a US state or Canadian province.' })
export class LicensePlate {
  @Field(() => String, {
    nullable: true,
    description: 'The state or province as two letters, such as TX or ON.',
  })
  state: string | null

  @Field(() => String, { nullable: true, description: 'The number on the plate.' })
  number: string | null
}

@ObjectType({ simpleResolvers: true, description: "A driver's license." })
export class DriverLicense {
  @Field(() => String, {
    nullable: true,
    description: 'The state or province as two letters, such as TX or ON.',
  })
  state: string | null

  @Field(() => String, { nullable: true, description: 'The number of the license.' })
  number: string | null
}

/** Returns an object of two columns; null if both are null. */
export const stateAndNumber = (state: string | null, number: string | null) =>
  state === null && number === null ? null : { state, number }
