import { Field, Float, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, Indexes, NumberColumn } from '../../../storage/sql/columns.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { Month } from '../../schema/scalars.ts'
import { ProviderRecord } from '../../tables/provider-record.ts'
import { entityRef } from '../../schema/entity-references.ts'
import { RawData } from '../../schema/value-types.ts'
import { VehicleOfRecords } from '../entity-extensions.ts'

/** What a vehicle drove in one jurisdiction in one month. Callers see sums of them. */
@Entity('ifta_vehicle_months')
@Indexes(
  ['connectionId', 'vehicleId', 'jurisdiction', 'month'],
  ['applicationId', 'vehicleId', 'jurisdiction', 'month'],
)
export class IftaVehicleMonth extends ProviderRecord {
  @IdColumn()
  vehicleId: string

  /** Two letters; empty where it is not known, so that rows have an order. */
  @IdColumn()
  jurisdiction: string

  /** YYYY-MM in the fleet's time zone. */
  @IdColumn()
  month: string

  /** Kilometers. */
  @NumberColumn()
  distance: number
}

export enum IftaGrouping {
  VEHICLE = 'vehicleId',
  JURISDICTION = 'jurisdiction',
  MONTH = 'month',
}

registerEnumType(IftaGrouping, {
  name: 'IftaGrouping',
  description: 'By what distances are summed.',
  valuesConfig: {
    VEHICLE: { description: 'A sum for each vehicle.' },
    JURISDICTION: { description: 'A sum for each state or province.' },
    MONTH: { description: 'A sum for each month.' },
  },
})

@ObjectType('IftaSummary', {
  simpleResolvers: true,
  description: 'A distance driven, for the International Fuel Tax Agreement.',
})
export class IftaSummary {
  vehicleId?: string

  @Field(() => String, { description: "The provider's code." })
  provider: string

  @Field(() => VehicleOfRecords, {
    nullable: true,
    description: 'The vehicle, where distances are summed by vehicle.',
  })
  @Computed((row: IftaSummary) => entityRef(row.vehicleId ?? null))
  vehicle?: VehicleOfRecords | null

  @Field(() => String, {
    nullable: true,
    description:
      'Two letters of a US state or Canadian province; null where it is not known or not summed by.',
  })
  @Computed((row: IftaSummary) => row.jurisdiction || null)
  jurisdiction?: string | null

  @Field(() => Month, { nullable: true, description: 'The month, where distances are summed by month.' })
  month?: string | null

  @Field(() => Float, { description: 'Kilometers.' })
  distance: number

  @Field(() => [RawData], { description: "The provider's records that the sum was made from." })
  @Computed((row: IftaSummary) => row.rawOf())
  raw?: RawData[]

  rawOf: () => Promise<readonly unknown[]>
}
