import { ArgsType, Field } from 'type-graphql'
import { EntityArgs } from '../schema/list-args.ts'

/** Of records that the filters of connections may hide. */
@ArgsType()
export class FilteredArgs extends EntityArgs {
  @Field(() => Boolean, {
    defaultValue: false,
    description: "Also what the connection's filters hide.",
  })
  hidden: boolean
}
