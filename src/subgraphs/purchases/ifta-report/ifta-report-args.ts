import { ArgsType, Field, ID } from 'type-graphql'
import { FuelProduct } from '../fuel-product.ts'
import { type IftaFuel, IftaFuelEnum } from './ifta-fuel.ts'

@ArgsType()
export class IftaReportArgs {
  @Field(() => String, {
    description: 'The quarter, such as 2026-Q3. One that is not over is reported as far as it is known.',
  })
  quarter: string

  @Field(() => IftaFuelEnum, { defaultValue: FuelProduct.DIESEL, description: 'The fuel of the report.' })
  fuel: IftaFuel

  @Field(() => [ID], { nullable: true, description: 'Only these vehicles, at most 50.' })
  vehicleIds?: string[] | null

  @Field(() => [ID], {
    nullable: true,
    description: 'Only vehicles that the provider assigns to one of these groups itself, at most 50.',
  })
  groupIds?: string[] | null
}
