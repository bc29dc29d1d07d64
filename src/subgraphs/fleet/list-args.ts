import { ArgsType, Field } from 'type-graphql'
import { EntityArgs } from '../schema/list-args.ts'

/** List arguments of records that connection filters can hide. */
@ArgsType()
export class FilteredArgs extends EntityArgs {
  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether to include records that the filters of their connection hide.',
  })
  hidden: boolean
}
