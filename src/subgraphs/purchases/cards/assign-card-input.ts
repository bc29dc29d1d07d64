import { Field, ID, InputType } from 'type-graphql'

@InputType({
  description: 'The assignment of a fuel card to a vehicle, a driver or both. It replaces the earlier one.',
})
export class AssignCardInput {
  @Field(() => String, {
    description: "Your own id of the card, at most 255 characters. The card's number is refused.",
  })
  cardId: string

  @Field(() => ID, { nullable: true, description: 'The vehicle that the card belongs to.' })
  vehicleId?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The driver who has the card. Without `vehicleId`, purchases are checked with the vehicle that the driver drives.',
  })
  driverId?: string | null
}

@InputType({ description: 'A fuel card whose assignment ends.' })
export class UnassignCardInput {
  @Field(() => String, { description: 'Your own id of the card.' })
  cardId: string
}
