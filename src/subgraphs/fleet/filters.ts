import { ArgsType, Field } from 'type-graphql'
import { EntityArgs } from '../filters.ts'

/** Of records that the filters of connections may hide. */
@ArgsType()
export class FilteredArgs extends EntityArgs {
  @Field(() => Boolean, {
    defaultValue: false,
    description: "Also what the connection's filters hide.",
  })
  hidden: boolean
}
